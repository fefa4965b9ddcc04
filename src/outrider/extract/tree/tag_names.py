"""Which elements stand in a line, which are hidden, whose line breaks count: by name, for every scan."""

HIDDEN_BLOCKS = "nav header footer"
HIDDEN = "script style noscript noframes textarea iframe select svg"
PREFORMATTED = "pre listing xmp plaintext"
# What stands inside a line of text. All other elements start and end a line: also <br>, <button> and elements
# that HTML does not know.
INLINE = (
    "a abbr acronym area audio b basefont bdi bdo big blink canvas cite code data del dfn em embed font i img"
    " input ins kbd label link map mark meta meter nobr object output param picture progress q rb rp rt rtc"
    " ruby s samp slot small source span strike strong sub sup template time track tt u var video wbr"
)
