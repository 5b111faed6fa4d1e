"""Which styles hide text, also compared with real Chromium.

A declaration that is invalid in only one of the two would let a sender hide text from the reader, not from the filter,
or the other way round.
"""

from __future__ import annotations

from html import escape

import pytest

from stream_nb.mail.html import html_text


@pytest.mark.parametrize(
    "style",
    [
        "display:none", "DISPLAY : None;", "color:red; visibility: hidden", "font-size:0", "font-size: 0px",
        "display:block;display:none", "display:none!important;display:block", "d\\69splay:none",
        "/* a */display:none",
        "color:#fff", "color:white", "color:rgb(250, 251,252)", "color:rgb(100%,100%,100%)", "color:#fffffe",
        "color:hsl(0,0%,99%)", "color:transparent", "color:rgba(0,0,0,0)", "color:#0000", "background:black",
        "background-color:navy;color:navy", "color:tomato;background:tomato", "-webkit-text-fill-color:#fff",
        "font-size:1px", "font-size:.1em", "font:0/0 a", "font: bold 1px Arial", "font-size:2%",
        "font-size:calc(0px)",
        "opacity:0", "opacity:.01", "opacity:5%", "position:absolute;left:-9999px", "position:fixed;top:-100em",
        "position:absolute;right:-9999px", "position:absolute;left:9999px", "margin-left:-9999px",
        "margin:0 0 0 -99em", "text-indent:-9999px", "max-height:0;overflow:hidden", "height:1px;overflow:auto",
        "width:0px;overflow-x:clip", "width:0%;overflow:hidden", "max-width:.1%;overflow:hidden",
        "position:fixed;clip:rect(0 0 0 0)",
        "clip-path:inset(50%)", "transform:scale(0)", "font-size:1e-3px", "opacity:1E-3", "text-indent:-1e+4px",
        "transform:translateX(-9999px)", "background:url(a;b.png);display:none", "color:white;background:url(x.png)",
        "content:';}';display:none", "color:white;color:black x", "color:white;color:blackk",
        "display:none;display:off", "font-size:0;font-size:20", "opacity:0;opacity:1 1",
        "margin-left:-9999px;margin:0 x", "background:black;background:white, white",
        "color:white!important;color:black!important x",
        "-webkit-text-fill-color:white;color:black", "color:rgba(0,0,0,.12)", "background:rgba(0,0,0,.9)",
        "font-size:calc((1px + 1px) * 1)", "font-size:min(20px, calc(1em / 20))", "transform:rotate(3deg) scale(0)",
        "position:absolute;left:-100%", "font-size:30px;letter-spacing:-1em", "letter-spacing:-9px;letter-spacing:1 em",
        "height:5px;overflow:hidden", "max-width:5px;overflow:hidden", "font-size:30px;height:9px;overflow:hidden",
        "height:0;overflow:hidden;padding:20px 20px 0", "width:0;overflow:hidden;padding:20px 0;min-width:0",
        "margin-left:-9999px;margin-top:0", "margin:-9999px 0 0;margin-left:0", "margin-left:9999px;margin-top:0",
        "height:0;overflow:hidden;overflow-y:visible", "background-color:black;background-image:none", "scale:1 1 0",
    ],
)  # fmt: skip
def test_text_hidden_by_a_style_is_separated(style):
    text = html_text(f'a <div style="{style}">x<div>y</div>z</div>b'.encode())

    assert (text.seen.split(), text.hidden.split()) == ([b"a", b"b"], [b"x", b"y", b"z"])


@pytest.mark.parametrize(
    "style",
    [
        "font-size:0.5em", "font-size:09px", "display:block", "visibility:visible", "", "display:none;display:block",
        "display:block!important;display:none", "color:#ccc", "color:#fff;background:#000", "color:rgb(0,0,0,1)",
        "color:white;background:tomato", "color:no", "background:none",
        "opacity:1", "height:1%;overflow:hidden", "max-height:0%;overflow:hidden", "width:5%;overflow:hidden",
        "height:-5px;overflow:hidden", "max-width:-1em;overflow:hidden", "font-size:-5%", "font-size:-1em",
        "font:-1em a", "font-size:0.2e2px", "font-size:1e99px", "font-size:1ex", "opacity:5e-1",
        "opacity:.5", "font:400 12px/0 Arial", "font: bold small-caps 12px Arial", "font-size:medium", "left:-9999px",
        "position:absolute;left:-9px", "margin-left:-20px", "margin:0", "text-indent:-20px", "max-height:0",
        "overflow:hidden", "height:0;overflow:visible", "height:20px;overflow:hidden", "clip:auto",
        "transform:scale(1)", "transform:rotate(3deg)", "mso-hide:all", "content:'display:none'",
        "x:y(display:none)",
        "font-size:0;font-size:12px", "position:absolute;left:-9999px;position:static", "color:white x",
        "color:rgb(255,255,255)x", "color:rgb(255,255 255)", "display:none x", "visibility:hidden,", "font:1px",
        "margin-left:-9999", "clip:rect(0 0 0 0)", "font-size:0;font-size:inherit", "color:white;color:unset",
        "height:7px;overflow:hidden", "font-size:9px;height:4px;overflow:hidden", "font-size:40px;letter-spacing:-9px",
        "height:0;overflow:hidden;padding:0 0 20px", "letter-spacing:-5px",
        "width:0;overflow:hidden;padding:0 20px", "max-height:0;min-height:9px;overflow:hidden",
        "color:white;-webkit-text-fill-color:black", "font-size:calc(20px - 1px * 2)", "font-size:clamp(9px,1px,99px)",
        "background-color:black;color:white;background-image:none", "position:absolute;left:-9999px;inset:auto",
        "font-size:calc(1px * 1px)", "background:black 0 0 / cover, url(x.png)", "background:rgba(0,0,0,.5)",
    ],
)  # fmt: skip
def test_other_styles_hide_nothing(style):
    assert html_text(f'<div style="{style}">x</div>'.encode()).hidden == b""


HIDES_SHOWS_OTHERS = {
    "display": "none|block|inline flex|block none|none x|1|'none'|initial|NONE|no\\6e e|-webkit-box|none!important x",
    "visibility": "hidden|visible|collapse|hidden x|inherit|0|visible visible",
    "opacity": "0|1|.05|5%|.5|0 1|0px|-1|1.|calc(0)|calc(1px)|initial",
    "font-size": "1px|20px|0|20|1|20foo|small|tiny|larger|smaller|-1px|1px 2px|calc(1px * 2)|calc((20px))|calc(1px + 1)"
    "|inherit|min(1px, 20px)|max(1px, 20px)|clamp(1px, 20px, 2px)|.5pt|1e1px",
    "font": "1px serif|20px serif|1px|20 serif|bold 1px/2 'A', serif|1px serif, |small-caps 20px a b|1px a!|caption"
    "|italic|1px 'a\\'b'|1px 'a\nb'",
    "color": "white|black|#fffffe|#fffff|#ffff|#0000|rgb(255,255,255)|rgb(255 255 255)|rgb(255,255 255)|rgb(0,0)"
    "|rgb(100%,0,0)|rgb(0 0 0 / 5%)|rgb(0 0 0 0)|hsl(0 0% 100%)|hsl(0,0,0)|hwb(0 100% 0%)|lab(100 0 0)|oklch(1 0 0)"
    "|color(srgb 1 1 1)|color(x 1 1 1)|blackk|black x|black,black|cornsilk|tomato|fefefe|canvas|currentcolor|unset"
    "|rgb (0,0,0)|rgb(255,255,255)x|whi\\74 e|transparent|rgba(0,0,0,.12)|/**/white",
    "background:red;color": "hsl(0,100%,50%)|black|hsl(360deg 100 50)|hsla(1turn 100% 50% / 1)|hsl(-400grad 100% 50%)"
    "|hsl(6.2832rad 100% 50%)|hsl(120 100% 50%)|hsl(50% 100% 50%)|hsl(1em 100% 50%)|hwb(0 0% 0%)|hwb(240 0% 0%)"
    "|hwb(0 90% 90%)|rgb(calc(250 + 5) 0 0)|rgb(calc(1px) 0 0)|hsl(5deg 100% 50%)|hsl(0 40% 50%)",
    "-webkit-text-fill-color": "white|black|currentcolor|transparent|x",
    "background": "black|white|#000|none|black x|x|black no-repeat|0 0 black|black white|black, white|white, black"
    "|black 0 0 / cover|rgba(0,0,0,.9)|linear-gradient(red,red)|x(1)|5|transparent|currentcolor",
    "background-color": "black|white|none|black x|initial|currentcolor",
    "color:white;text-shadow": "none|0 0 black|1px 1px #000|black 0 0 1px|0 0 1px black, 0 0 white"
    "|0 0 white, 1px 1px red|0 0 9px black|0 0|0 black|0 0 black black|0 0 0 0 black|0 0 x|9999px 0 black"
    "|0 0 black,|initial|0% 0 black|0 0 currentcolor",
    "text-indent": "-9999px|0|9999px|-9999|0 x|-100%|1em|auto",
    "position:absolute;right": "-9999px|0|9999px|auto",
    "position:absolute;right:-9999px;left": "auto|0|initial|9px|none",
    "position:relative;bottom": "9999px|0|-99px|auto|99999px",
    "left:-9999px;position": "absolute|sticky|relative|fixed|static|-webkit-sticky|none",
    "position:absolute;left": "-9999px|0|-9999|0 x|auto|99999px|-1000%|none",
    "margin-left": "-9999px|0|-9999|0 0|auto|-9999px x",
    "position:absolute;inset": "0 0 0 -9999px|auto|-9999px|0 -9999px|0|0 0 9px 9px|0 0 0 0 -9999px|0 x",
    "position:absolute;inset-inline-start": "-9999px|0|99999px|-9999px 0|auto",
    "position:absolute;inset-block-start": "-9999px|0|9|none",
    "margin-inline-start": "-9999px|0|auto|-9999",
    "margin-block-start": "-9999px|0|-9px|0 x",
    "margin": "0 -9999px|0|-9999px|0 0 0 -9999px|0 0 -9999px 0|0 0 0 0 0|0 x|auto",
    "padding-left": "9999px|0|9999|-9999px|9px|auto|999em",
    "overflow:hidden;height": "0|50px|1px|5px|7px|auto|none|0 x|50|-5px|1em|min-content",
    "overflow:hidden;block-size": "0|50px|2px|auto",
    "overflow:hidden;max-inline-size": "0|50px|none|2px",
    "overflow:hidden;max-height": "0|50px|none|auto|0 x|50|-5px",
    "overflow:hidden;width": "0|50px|0%|100%|x|0 0",
    "overflow:auto;height:0;padding": "0|20px|0 9px|0 0 20px|20px 0 0|0 0 0 9px|0 0 20px x|9px x|-1px|initial|1em",
    "overflow:auto;height:0;padding-bottom": "0|20px|20|-20px|20px x|1em|auto|initial",
    "width:0;overflow:hidden;padding": "0|20px|0 9px|0 0 20px|0 0 0 9px|0 9px 0 0|5%",
    "width:0;overflow:hidden;padding-right": "0|20px|9|auto",
    "max-height:0;overflow:hidden;min-height": "0|20px|auto|20px x|-20px|none|2em|min-content",
    "max-width:0;overflow:hidden;min-width": "0|20px|auto|2px|10%",
    "letter-spacing": "-1em|0|normal|-9px|-20px|-.5em|-.2em|9px|-9|-9px x|-1em x|auto|inherit|-50%",
    "height:0;overflow": "hidden|visible|auto|visible hidden|hidden x|x|clip",
    "translate": "-9999px|none|0 -9999px|5|-9999px x|0 0 -9999px|-9999px 0 0|1px 1px 1px 1px|9px|-900%|9999px|0 9999px",
    "scale": "0|none|1 0|.5|5%|1 1 .05|0 0 0 0|normal|0px|x",
    "zoom": "1%|normal|.05|0|none|0 0|30%|2",
    "content-visibility": "hidden|visible|auto|none|hidden x",
    "position:absolute;clip": "rect(0 0 0 0)|auto|rect(9px,9px,9px,9px)|rect(auto,0,auto,auto)|rect(0,auto,0,auto)"
    "|rect(0 50px 50px 0)|rect(auto,auto,auto,auto)|rect(0,0,0)|rect(0 0 0 0 0)|rect(0 5% 0 0)|rect(-9px 99px 0 0)",
    "transform": "scale(0)|none|scale(1)|scale(1) scale(0)|scale()|scale(0) x|scale(0px)|translate(-9999px)"
    "|translateX(5)|rotate(9deg)|matrix(0,0,0,0,0,0)|matrix(1,0,0,1,-9999,0)|x|scale(0 0)|scale(0,)|scale(,0)"
    "|matrix(0)|matrix(0 0 0 0 0 0)|scaleX(0,0)|scale3d(0,0,0)|scale3d(0,0)|scale( 0 , 0 )|scale(0"
    "|rotateX(90deg)|rotatey(-.25turn)|rotateX(45deg)|rotateX(88deg)|rotateX(3.1416rad)|rotateY(300grad)|rotateX(9e1)"
    "|translate(9999px)|translateY(9999px)|matrix(1,0,0,1,9999,0)",
}  # fmt: skip
PAPER = '<body style="margin:0;background:white">'
CELL = '<div style="position:relative;height:60px;width:700px;padding:1px"><div style="{}">word</div></div>'
WHY_HIDDEN = """cell => {
    const element = cell.firstChild, style = getComputedStyle(element), letters = document.createRange()
    const bytes = colours => {
        const context = new OffscreenCanvas(1, 1).getContext("2d")
        for (const colour of ["white", ...colours]) {
            context.fillStyle = colour
            context.fillRect(0, 0, 1, 1)
        }
        return [...context.getImageData(0, 0, 1, 1).data]
    }
    if (style.display === "none") return "display"
    if (style.visibility !== "visible") return "visibility"
    if (style.contentVisibility === "hidden") return "content"
    if (style.opacity < 0.1) return "opacity"
    if (parseFloat(style.fontSize) < 3) return "font-size"
    if (parseFloat(style.letterSpacing) < -0.35 * parseFloat(style.fontSize)) return "letter-spacing"
    const paper = bytes([style.backgroundColor]), ink = bytes([style.backgroundColor, style.webkitTextFillColor])
    const shadow = style.textShadow.match(/^(rgba?[(].*?[)]) (-?[0-9.]+)px (-?[0-9.]+)px ([0-9.]+)px/)
    const isSharp = shadow && shadow[4] <= 3 && Math.abs(shadow[2]) <= 400 && Math.abs(shadow[3]) <= 400
    const inks = isSharp ? [ink, bytes([style.backgroundColor, shadow[1]])] : [ink]
    const isPaper = colour => colour.every((level, k) => Math.abs(level - paper[k]) < 32)
    if (style.backgroundImage === "none" && inks.every(isPaper)) return "colour"
    letters.selectNodeContents(element)
    const text = letters.getBoundingClientRect(), around = cell.getBoundingClientRect()
    if (text.right <= 0 || text.bottom < around.top - 300 || text.left > 3000) return "away"
    const box = element.getBoundingClientRect()
    const right = box.width - parseFloat(style.paddingLeft), bottom = box.height - parseFloat(style.paddingTop)
    const least = Math.max(3, parseFloat(style.fontSize) / 3)
    if (style.overflowX !== "visible" && (right < least || bottom < least)) return "clipped"
    const edges = style.clip.match(/auto|-?[0-9.]+(?=px)/g), edge = (k, auto) => isNaN(edges[k]) ? auto : +edges[k]
    if (edge(2, 99) - Math.max(edge(0, 0), 0) <= 1 || edge(1, 99) - Math.max(edge(3, 0), 0) <= 1) return "clip"
    return text.width < 3 || text.height < 3 ? "scaled" : ""
}"""


def styles() -> list[str]:
    """Each value of a property alone, after the first one, which hides, and after the second one, which shows."""
    found = []
    for name, values in HIDES_SHOWS_OTHERS.items():
        before, _, last = name.rpartition(";")
        hides, shows, *others = values.split("|")
        found += [f"{before};{last}:{first};{last}:{value}" for value in others for first in (hides, shows, value)]
    return found


@pytest.fixture(scope="module")
def why_hidden(chromium) -> dict[str, str]:
    """Why Chromium does not show a text with each style; empty for a text that it shows."""
    context = chromium.new_context()
    page = context.new_page()
    page.set_content("<!doctype html>" + PAPER + "".join(CELL.format(escape(style)) for style in styles()))
    reasons = page.evaluate(f"[...document.body.children].map({WHY_HIDDEN})")
    context.close()
    return dict(zip(styles(), reasons, strict=True))


@pytest.mark.parametrize("name", HIDES_SHOWS_OTHERS)
def test_a_style_hides_text_from_the_filter_where_it_hides_it_in_chromium(name, why_hidden):
    before, _, last = name.rpartition(";")
    own = {style: why for style, why in why_hidden.items() if style.startswith(f"{before};{last}:")}
    hidden = {style for style in own if b"word" in html_text((PAPER + CELL.format(escape(style))).encode()).hidden}
    assert len({why != "" for why in own.values()}) == 2
    assert hidden == {style for style, why in own.items() if why}


INLINE = (
    "color:white /*;color:black;*/|color:black;{};color:white|x{};color:white|};color:white|color:white;};color:black"
    "|color:black;x{}color:white|color:white;[;color:black;]|color:white;(;color:black)"
    "|color:white;@media x{};color:black"
    '|@x{}color:white|color:white;@x{;color:black}|color:white;x:{;color:black}|color:white;x:"\n;color:black'
    "|color:white;x:';color:black|color:white;\vcolor:black|color:white;color:black!ie|color:white;all:unset"
    "|color:white!important;all:unset|color:white;all:x|color:white;background:none;x:url(a!b;c)"
    "|wh\\69 te:x;color:wh\\69te"
)
SHEETS = (
    ".X{color:white /*;color:black;*/}|.X{a{}color:white}|.X{a:hover{};color:white}|.X{color:white;a{color:black}}"
    "|.X{color:white;x:(}.X{color:black})}|.X{color:white}}.X{color:black}|}.X{color:white}|@x;.X{color:white}"
    "|@x{{}}.X{color:white}|@supports (color:x){.X{color:white}}|@layer a{.X{color:white}}"
    "|@media not print{.X{color:white}}|@media (width>1px){.X{color:white}}|@media (width<=800px){.X{color:white}}"
    "|@media (width<800px){.X{color:white}}|@media (orientation:landscape){.X{color:white}}"
    "|@media (prefers-color-scheme:dark){.X{color:white}}|@media all and (color){.X{color:white}}"
    "|@media (min-width:1px) or (max-width:2px){.X{color:white}}|@media not all{.X{color:white}}"
    "|@media (max-width:9999px) and (min-width:0){.X{color:white}}|@media (min-device-width:9px){.X{color:white}}"
    "|@media (max-device-width:480px){.X{color:white}}|@media (min-height:9px){.X{color:white}}"
    "|@media (max-height:480px){.X{color:white}}|@media foo{.X{color:white}}"
    "|@media print{x}.X{color:white}|.X,p:x{color:white}|.X,p:hover{color:white}|.X,{color:white}|,.X{color:white}"
    "|.X,p::x(){color:white}|.X/**/.X{color:white}|.X{color:white|@media print{.X{color:black}}.X{color:white}"
    '|.X{color:"}";color:white}|.X;{color:white}|@font-face{color:black}.X{color:white}|.X{}.X{color:white}'
)
DOCUMENTS = [f'<!doctype html>{PAPER}<p class="X" style="{escape(style)}">word' for style in INLINE.split("|")] + [
    f'<!doctype html><style>{sheet}</style>{PAPER}<p class="X">word' for sheet in SHEETS.split("|")
]


def test_a_style_sheet_hides_text_from_the_filter_where_it_hides_it_in_chromium(chromium):
    context = chromium.new_context(viewport={"width": 800, "height": 600})
    page = context.new_page()
    differing = []
    for document in DOCUMENTS:
        page.set_content(document)
        white = page.evaluate("getComputedStyle(document.querySelector('p')).color") == "rgb(255, 255, 255)"
        if (b"word" in html_text(document.encode()).hidden) != white:
            differing.append(document)
    context.close()
    assert differing == []
