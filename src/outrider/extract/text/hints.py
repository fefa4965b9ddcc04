"""The role of an element by its tag, class, id and ARIA role, without reading its text."""

import re
from enum import IntEnum
from functools import lru_cache


class RegionRole(IntEnum):
    """The purpose of a part of a page, by its names. If it has several names, the first role here counts."""

    BODY = 1  # a precise name of the main content
    CONSENT = 2  # a cookie banner: long prose that is never the content
    BOILERPLATE = 3  # navigation, sharing, login, legal: the same on every page of a site
    SECONDARY = 4  # a side column, a window above the page, related pages
    PRESENTATION = 5  # noise beside an article; on other pages it may be the content
    COMMENTS = 6  # boilerplate below an article, the content of a forum
    META = 7  # author and date
    TEASER = 8  # a summary of another page
    CONTENT = 9  # a vague name of the content
    PLAIN = 10


HIDDEN = "<hidden>"  # the word of an element that is not shown
Hint = tuple[
    RegionRole, str
]  # a role and the word that it was read from; in brackets if that is no class or id

_BODY = """
    article-body article-content article-text article-copy article-main article-entry articletext
    artikel* post-body post-content post-text post-copy post-article entry-body entry-content entry-text
    story-body* story-content story-text blog-body blog-content blog-article news-body news-content
    news-text news-article single-body single-content page-body page-content page-text body-content
    body-text body-copy main-body main-content main-text main-article rich-text rich-content
    content-body content-text content-article content-main field-body field-name-body
    text-body markdown-body mw-parser-output instapaper-body prose hentry
    type-post type-page user-content message-content message-body message-text post-message
    """
_CONTENT = """
    content main article post entry story text body page blog wiki document doc docs inhalt contenu
    contenido
    """
_COMMENTS = """
    comment comments comment-list disqus* discussion* livefyre fb-comments forum replies reactions reviews
    customer-reviews user-reviews review-list
    """
_TEASER = "card cards teaser* snippet* excerpt* tile* promo-item post-preview post-summary"
_META = """
    byline by-line dateline time-stamp meta metadata meta-info post-meta post-info post-date
    post-details entry-meta entry-info entry-date entry-details article-meta article-info article-date
    article-details published* pub-date date author authors kicker eyebrow read-time reading-time
    caption wp-caption-text image-credit photo-credit
    """
_CONSENT = """
    cookie-banner* cookie-bar* cookie-notice* cookie-consent* cookie-policy* cookie-law* cookie-popup*
    cookie-modal* cookie-message* cookie-overlay* cookie-info* cookie-warning* cookie-alert*
    cookie-dialog* cookie-settings* cookie-wall* cookiebot* cmp-box* cmp-banner
    qc-cmp* onetrust* didomi* usercentrics* cybot* iubenda-cs truste borlabs* klaro gdpr*
    consent-banner consent-popup consent-modal consent-manager consent-dialog cc-window sp-message
    """
_BOILERPLATE = """
    nav navi navigation* navbar* navbox menu* breadcrumb* pagination* pager paging* page-numbers*
    post-nav* skip-link* skip-to* next-prev* prev-next* next-article* next-post* next-story*
    toc table-of-contents* jump-link* jump-menu site-map* back-to-top* scroll-top* tool-bar*
    off-canvas* search-form* search-box* search-bar* language-switcher* language-selector*

    footer* foot masthead* site-header* top-bar* bottom-bar* bottom-nav* bottom-menu*

    share shares sharing* sharedaddy* social* socials follow-us* follow-bar* follow-button* addthis*
    addtoany*

    outbrain* taboola* newsletter* subscri* sign-up* login* log-in* mailing* adsense* adslot* ad-unit*
    ad-slot* dfp*

    cookie cookies consent* privacy-banner* privacy-popup* copyright*

    user-info* user-details* user-title* user-extras* user-card* user-avatar* user-stats* user-rank*
    user-panel* message-user message-user-details* message-attribution* message-action* post-profile*
    post-signature* action-bar* signature* online-list* who-is-online*

    respond comment-form* comment-respond* reply-form* leave-comment* leave-a-comment* leave-reply*
    leave-a-reply* visually-hidden* sr-only* screen-reader* noprint* edit-section* mw-editsection*
    headerlink*
    """
_SECONDARY = """
    sidebar* side-bar* side-col* right-rail* left-rail* aside* drawer* dropdown*

    related* recommend* similar* recirc* more-from* more-on* more-stories* more-news* more-articles*
    more-posts* more-like* read-next* read-also* see-also* you-may* you-might* also-like* also-bought*
    also-viewed* up-next* yarpp* crosslink* jp-relatedposts

    opt-in* donat* sponsor* advert* ad ads adbox* ad-container* ad-wrapper* affiliate*

    modal* popup* pop-up* lightbox* dialog* tooltip*

    comment-reply* reply-title* post-menu* post-buttons* post-actions* post-toolbar* comhead* subtext*
    reputation* karma* voting* vote votes vote-cell* user-name* user-box*
    """
_PRESENTATION = """
    search rail right-col* right-bar* right-side* left-col* left-bar* left-side* widget widgets overlay*
    trending* popular* most-read* most-viewed* most-popular* latest-news* latest-posts* latest-stories*
    read-more* reflist references register* promo promos promotion* promobox* banner* commercial*
    call-to-action* cta privacy* legal* disclaimer*

    tag tags tag-list* tag-cloud* tag-links* tagged* post-tags* category categories category-links*
    category-list* cat-links* keywords* topic-list* topics-list* author-bio* author-box* author-info*
    author-card* author-profile* author-about* author-desc* author-area* author-popup* author-container*
    author-name* authors-box* about-author* about-the-author* bio byline-bio* avatar* poster
    post-author* post-head post-footer* tagline* rating* poll stat-block* feedback* button buttons btn*
    print hidden* carousel* slideshow* thumbnail thumbnails credit credits
    """
_LABEL = """
    btn* button buttons headerlink* header-anchor* hash-link permalink* anchor-link* more-link*
    read-more* skip-link* skip-to* jump-link* jump-to* share* social* sr-only* visually-hidden*
    screen-reader* hidden* edit-section* mw-editsection* tooltip* badge* icon*
    """

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
# Tokens about the layout of what they stand on, and the modifiers of a block: no word about its purpose.
_LAYOUT = re.compile(
    r"(?<=[a-z\d])--.*|(?<=[a-z\d])(?<!visually)-hidden(?:-.*)?$"
    r"|^(?:no|has|with|without|is|align|col|row|elementor|wp-block|vc|et-pb|layout|fl)-.*"
)
_KEY = 3  # letters that every word with a star has at least
_PARTS = 3  # parts that a word has at most
_LETTERS = re.compile("[a-z]+")


class _Vocabulary:
    """Words by what they say. Their dashes may be missing on a page, a star stands for any more letters."""

    def __init__(self, words: dict[RegionRole, str]) -> None:
        self._whole: dict[str, RegionRole] = {}
        self._begun: dict[str, list[tuple[str, RegionRole]]] = {}  # by their first letters
        for role in sorted(words):
            for word in words[role].replace("-", "").split():
                if word.endswith("*"):
                    self._begun.setdefault(word[:_KEY], []).append((word[:-1], role))
                else:
                    self._whole.setdefault(word, role)

    def hint(self, name: str) -> Hint:
        """What a name says by any of its parts: `more` and `links`, `readmore`, `readmorelinks` and so on."""
        best, matched = RegionRole.PLAIN, ""
        parts = _LETTERS.findall(name)
        for start in range(len(parts)):
            compound = ""
            for part in parts[start : start + _PARTS]:
                compound += part
                if (role := self._whole.get(compound, best)) < best:
                    best, matched = role, compound
                for beginning, role in self._begun.get(compound[:_KEY], ()):
                    if role < best and compound.startswith(beginning):
                        best, matched = role, beginning
        return best, matched


_VOCABULARY = _Vocabulary(
    {
        RegionRole.BODY: _BODY,
        RegionRole.CONSENT: _CONSENT,
        RegionRole.BOILERPLATE: _BOILERPLATE,
        RegionRole.SECONDARY: _SECONDARY,
        RegionRole.PRESENTATION: _PRESENTATION,
        RegionRole.COMMENTS: _COMMENTS,
        RegionRole.META: _META,
        RegionRole.TEASER: _TEASER,
        RegionRole.CONTENT: _CONTENT,
    }
)
_BODIES = _Vocabulary({RegionRole.BODY: _BODY})
_LABELS = _Vocabulary({RegionRole.BOILERPLATE: _LABEL})
_BY_TAG = dict.fromkeys(("nav", "footer", "menu", "dialog"), RegionRole.BOILERPLATE) | dict.fromkeys(
    ("aside", "form"), RegionRole.SECONDARY
)
_BY_ARIA = {"main": RegionRole.CONTENT, "article": RegionRole.CONTENT} | dict.fromkeys(
    (
        "navigation",
        "banner",
        "contentinfo",
        "complementary",
        "search",
        "dialog",
        "menu",
        "menubar",
        "toolbar",
    ),
    RegionRole.BOILERPLATE,
)
_ARTICLE_PROPERTIES = frozenset(("articleBody", "reviewBody", "text"))
_MAX_LETTERS = 60  # of a token


@lru_cache(maxsize=4096)
def hint_of(tag: str, names: str, aria: str, itemprop: str) -> Hint:
    """What the element says it is. `names` is its class and id, cut to a length worth remembering."""
    if itemprop in _ARTICLE_PROPERTIES:
        return RegionRole.BODY, f"<{itemprop}>"
    if tag in _BY_TAG:
        return _BY_TAG[tag], f"<{tag}>"
    if aria in _BY_ARIA:
        return _BY_ARIA[aria], f"<{aria}>"
    if "admonition" in names:  # a box of the text, though it may be called a note, a tip or what to see also
        return RegionRole.PLAIN, ""
    named = min(map(_named, names.split()), default=(RegionRole.PLAIN, ""))
    if tag == "main" or (tag == "article" and named[0] in (RegionRole.PLAIN, RegionRole.META)):
        return RegionRole.CONTENT, f"<{tag}>"
    return named


def is_markup(word: str) -> bool:
    """Whether the word of a hint is a tag or a landmark, which say more than a name."""
    return word.startswith("<")


@lru_cache(maxsize=4096)
def is_label(names: str) -> bool:
    """Whether an element inside a line is there to be clicked or left unread."""
    return any(_LABELS.hint(_name(token))[0] is not RegionRole.PLAIN for token in names.split())


@lru_cache(maxsize=16384)
def _named(token: str) -> Hint:
    if ":" in token:  # a look on some screens, as in `md:hidden`
        return RegionRole.PLAIN, ""
    name = _name(token)
    bare = _LAYOUT.sub("", name) if "-" in name else name
    return _VOCABULARY.hint(name) if bare == name else min(_BODIES.hint(name), _VOCABULARY.hint(bare))


def _name(token: str) -> str:
    token = token[:_MAX_LETTERS]
    if not token.islower():
        token = _CAMEL.sub("-", token).lower()
    return token.replace("__", "-").replace("_", "-")
