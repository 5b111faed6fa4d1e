"""The boxes, form controls and attributes of HTML that show their text, and those that hide it."""

import pytest

from stream_nb.mail.html import html_text


@pytest.mark.parametrize(
    "html",
    [
        "<input style='display:none' value=hid>shown", "<style>.x{opacity:0}</style><input class=x value=hid>shown",
        "<div style='text-indent:-9999px'>hid<b>hid<br>shown</b>shown<table><td>shown</table></div>",
        "<div style='text-indent:-9999px'><p>hid<p>hid<br>shown", "<b style='text-indent:-9999px'>shown",
        "<b style='height:0;width:0;overflow:hidden;transform:scale(0)'>shown",
        "<b style='float:left;height:0;overflow:hidden'>hid</b>shown",
        "<b style='display:block;transform:scale(0)'>hid</b>shown",
        "<b style='position:absolute;width:0;overflow:hidden'>hid</b>shown<i style='display:inline'>shown",
        "<b style='display:inline-block;width:0;overflow:hidden'>hid</b>shown",
        "<table style='height:0;overflow:hidden'><tr><td style='height:0;width:0;overflow:hidden'>shown</table>",
        "<table><td style='max-width:0;overflow:hidden'>hid<td style='display:block;height:0;overflow:hidden'>hid",
        "<div style='color:white;font-size:0'>hid<button>shown</button><textarea>shown</textarea>",
        "<div style='color:white'><input value=shown><input style='color:#eee' value=hid></div>",
        "<style type=text/plain>p{opacity:0}</style><p>shown", "<style type=TEXT/CSS>p{opacity:0}</style><p>hid",
        "<datalist>hid</datalist><template>hid</template><rp>hid</rp>shown",
        "<video>shown</video><audio>shown</audio><progress>shown</progress><meter>shown</meter><dialog>shown",
        "<input hidden value=hid><input value=shown>", "<div hidden><input value=hid></div>shown",
        "<p style='font-size:0'><font size=2>shown</font><font size=+1 style='font-size:1px'>hid</font>hid",
        "<p style='font-size:0'><font size=x>hid</font><font size=' -2'>shown</font><b size=2>hid</b></p>",
        "<body bgcolor=black link=black><a href=u>hid</a><a style='color:white'>shown</a>",
        "<body link=white><a href=u>hid<font color=black>shown</font></a>", "<p link=white><a href=u>shown</a>",
        "<body bgcolor=#0000ee link=white><a href=u>shown</a>", "<mark style='color:yellow'>hid</mark>shown",
        "<p style='color:white'>hid<mark>shown</mark>hid</p><mark style='background:black'>hid</mark>",
    ],
)  # fmt: skip
def test_hidden_text_is_what_an_element_hides(html):
    text = html_text(html.encode())

    assert (b"shown" in text.hidden, b"hid" in text.seen) == (False, False)
    assert (b"shown" in text.seen, b"hid" in text.hidden) == ("shown" in html, "hid" in html.replace("hidden", ""))
