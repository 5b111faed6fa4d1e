"""The names of HTML elements -> traits, which decide what opens and closes them and where words end (compiled).

Source: WHATWG, HTML, 13.2 Parsing HTML documents, 15.3 Rendering, Non-replaced elements.
"""

# pyright: basic

from stream_nb.kernels.css.syntax import index, keyed
from stream_nb.kernels.jit import borrowing

(
    BREAK, VOID, RAW, RAW_TEXT, NEVER_SHOWN, ENDS_P, SCOPE_MARK, IN_TABLE, TABLE_PART, SECTION, HEADING, ENDS_LIKE,
    NOT_CLOSED, OF_HEAD, END_BREAKS, SPECIAL, FORMATTING, FORMATTING_MARK, ENDS_ITSELF, WITHIN_ITEM, FIELD, CONTROL,
    IMAGE, MARKED, SMALL,
) = (1 << bit for bit in range(25))  # fmt: skip
WITHOUT_MARKUP = VOID | RAW
_NAMES = {
    BREAK: "address article aside blockquote body br button caption center dd details dialog dir div dl dt fieldset"
    " figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html img input legend li listing"
    " main menu nav ol optgroup option p pre search section select summary table tbody td textarea tfoot th thead tr ul"
    " xmp",
    VOID: "area base br col embed head hr img link meta param source track wbr",
    RAW: "iframe noembed noframes script style title",
    RAW_TEXT: "iframe noembed noframes title",
    NEVER_SHOWN: "datalist rp template",  # Gmail, Outlook and Yahoo show the content of <video>, <meter> and so on
    ENDS_P: "address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer form"
    " h1 h2 h3 h4 h5 h6 header hgroup hr main menu nav ol p pre section summary table ul li dd dt",
    SCOPE_MARK: "applet button caption marquee object table td template th",
    IN_TABLE: "caption col colgroup script style tbody td template tfoot th thead tr",
    TABLE_PART: "caption table tbody td tfoot th thead tr",
    SECTION: "tbody tfoot thead",
    HEADING: "h1 h2 h3 h4 h5 h6",
    ENDS_LIKE: "li dd dt option tr td th tbody tfoot thead",
    NOT_CLOSED: "body html",
    OF_HEAD: "base head link meta script style title",
    END_BREAKS: "br p",
    SPECIAL: "address applet article aside blockquote body button caption center dd details dialog dir div dl dt"
    " fieldset figcaption figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup html li listing main marquee menu"
    " nav noscript object ol p plaintext pre search section select summary table tbody td template textarea tfoot th"
    " thead tr ul xmp",
    FORMATTING: "a b big code em font i nobr s small strike strong tt u",
    ENDS_ITSELF: "a nobr",
    WITHIN_ITEM: "address div p",
    FORMATTING_MARK: "applet caption marquee object td template th",
    FIELD: "input",
    CONTROL: "button input select textarea",
    IMAGE: "img",
    MARKED: "mark",
    SMALL: "small sub sup",
}
_TRAIT_KEYS, _TRAIT_SETS = keyed(
    {
        name: sum(trait for trait, names in _NAMES.items() if name in names.split())
        for name in {name for names in _NAMES.values() for name in names.split()}
    }
)


@borrowing
def traits_of(name):
    """Return the traits of an element by its name, as a sum of BREAK (a word ends where it begins and ends), VOID (it
    has no content), RAW (its content has no markup), RAW_TEXT (its content is hidden text), END_BREAKS (its end tag
    ends a word even if it is not open), FIELD (it shows its value), CONTROL (it does not inherit its colours and its
    size of letters), IMAGE, MARKED (it is yellow), SMALL (its letters are smaller) and so on."""
    at = index(_TRAIT_KEYS, name)
    if at < 0:
        return 0
    return _TRAIT_SETS[at]
