"""What an element's tag, class, id and role say about its text, before anyone reads it."""

import re
from enum import IntEnum
from functools import lru_cache


class Role(IntEnum):
    """What a part of a page is there for, as its author names it. Of several names the first here counts."""

    BODY = 1  # the content, and says so precisely
    CONSENT = 2  # the cookie banner: long, well written, and never what anyone came for
    CHROME = 3  # navigation, sharing, promotion, legal: the same on every page of the site
    COMMENTS = 4  # readers' words: chrome under an article, the content of a forum
    META = 5  # who and when: beside the text, not of it
    TEASER = 6  # a foretaste of another page
    CONTENT = 7  # says so, vaguely
    PLAIN = 8


_BODY = """
    article-body article-content article-text article-copy article-main article-entry articletext
    artikel* post-body post-content post-text post-copy post-article entry-body entry-content entry-text
    story-body* story-content story-text blog-body blog-content blog-article news-body news-content
    news-text news-article single-body single-content page-body page-content page-text body-content
    body-text body-copy main-body main-content main-text main-article rich-text rich-content
    content-body content-text content-article content-main field-body field-name-body
    text-body markdown-body mw-parser-output instapaper-body prose hentry
    type-post type-page
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
    cookie-dialog* cookie-settings* cookie-wall* cookiebot* cmp-box* cmp-container* cmp-banner* cmp-lib*
    qc-cmp* onetrust* didomi* usercentrics* cybot* iubenda-cs truste* borlabs* klaro gdpr*
    consent-banner consent-popup consent-modal consent-manager consent-dialog cc-window sp-message
    """
_CHROME = """
    nav navi navigation* navbar* navbox menu* breadcrumb* pagination* pager paging* page-numbers*
    post-nav* skip-link* skip-to* next-prev* prev-next* next-article* next-post* next-story* up-next*
    toc table-of-contents* jump-link* jump-menu site-map* back-to-top* scroll-top* tool-bar* dropdown*
    off-canvas* drawer* search search-form* search-box* search-bar* language-switcher*
    language-selector*

    footer* foot masthead* site-header* top-bar* bottom-bar* bottom-nav* bottom-menu* sidebar* side-bar*
    side-col* rail right-col* right-rail* right-bar* right-side* left-col* left-rail* left-bar*
    left-side* aside* widget widgets

    share shares sharing* sharedaddy* social* socials follow-us* follow-bar* follow-button* addthis*
    addtoany*

    related* recommend* similar* recirc* more-from* more-on* more-stories* more-news* more-articles*
    more-posts* more-like* read-more* read-next* read-also* see-also* you-may* you-might* also-like*
    also-bought* also-viewed* trending* popular* most-read* most-viewed* most-popular* latest-news*
    latest-posts* latest-stories* outbrain* taboola* yarpp* crosslink* jp-relatedposts reflist
    references

    newsletter* subscri* sign-up* login* log-in* register* mailing* opt-in* donat* promo promos
    promotion* promobox* sponsor* advert* ad ads adsense* adbox* adslot* ad-unit* ad-slot* ad-container*
    ad-wrapper* banner* dfp* commercial* affiliate* call-to-action* cta

    cookie cookies consent* privacy* legal* disclaimer* copyright* modal* popup* pop-up* overlay*
    lightbox* dialog* tooltip*

    tag tags tag-list* tag-cloud* tag-links* tagged* post-tags* category categories category-links*
    category-list* cat-links* keywords* topic-list* topics-list* author-bio* author-box* author-info*
    author-card* author-profile* author-about* author-desc* author-area* author-popup* author-container*
    author-name* authors-box* about-author* about-the-author* bio byline-bio* user-info* user-details*
    user-title* user-extras* user-card* user-name* user-avatar* user-stats* user-rank* user-box*
    user-panel* avatar* message-user* message-attribution* message-action* post-profile* poster
    post-author* post-head post-footer* post-menu* post-buttons* post-actions* post-toolbar*
    post-signature* action-bar* comhead* subtext* tagline* reputation* karma* signature* rating* voting*
    vote votes vote-cell* poll online-list* who-is-online* stat-block*

    respond comment-form* comment-respond* comment-reply* reply-form* reply-title* leave-comment*
    leave-a-comment* leave-reply* leave-a-reply* feedback* button buttons btn* print hidden*
    visually-hidden* sr-only* screen-reader* noprint* edit-section* mw-editsection* headerlink*
    carousel* slideshow* thumbnail thumbnails credit credits
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

    def __init__(self, words: dict[Role, str]) -> None:
        self._whole: dict[str, Role] = {}
        self._begun: dict[str, list[tuple[str, Role]]] = {}  # by their first letters
        for role in sorted(words):
            for word in words[role].replace("-", "").split():
                if word.endswith("*"):
                    self._begun.setdefault(word[:_KEY], []).append((word[:-1], role))
                else:
                    self._whole.setdefault(word, role)

    def role(self, name: str) -> Role:
        """What a name says by any of its parts: `more` and `links`, `readmore`, `readmorelinks` and so on."""
        best = Role.PLAIN
        parts = _LETTERS.findall(name)
        for start in range(len(parts)):
            compound = ""
            for part in parts[start : start + _PARTS]:
                compound += part
                if (role := self._whole.get(compound, best)) < best:
                    best = role
                for beginning, role in self._begun.get(compound[:_KEY], ()):
                    if role < best and compound.startswith(beginning):
                        best = role
        return best


_ALL = _Vocabulary(
    {
        Role.BODY: _BODY,
        Role.CONSENT: _CONSENT,
        Role.CHROME: _CHROME,
        Role.COMMENTS: _COMMENTS,
        Role.META: _META,
        Role.TEASER: _TEASER,
        Role.CONTENT: _CONTENT,
    }
)
_BODIES = _Vocabulary({Role.BODY: _BODY})
_LABELS = _Vocabulary({Role.CHROME: _LABEL})
_BY_TAG = dict.fromkeys(("nav", "footer", "aside", "menu", "dialog", "form"), Role.CHROME)
_BY_ARIA = {"main": Role.CONTENT, "article": Role.CONTENT} | dict.fromkeys(
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
    Role.CHROME,
)
_ARTICLE_PROPERTIES = frozenset(("articleBody", "reviewBody", "text"))
_MAX_LETTERS = 60  # of a token that anyone would read


@lru_cache(maxsize=4096)
def role_of(tag: str, names: str, aria: str, itemprop: str) -> Role:
    """What the element says it is. `names` is its class and id, cut to a length worth remembering."""
    if itemprop in _ARTICLE_PROPERTIES:
        return Role.BODY
    if tag in _BY_TAG:
        return _BY_TAG[tag]
    if aria in _BY_ARIA:
        return _BY_ARIA[aria]
    if "admonition" in names:  # a box of the text, though it may be called a note, a tip or what to see also
        return Role.PLAIN
    named = min(map(_named, names.split()), default=Role.PLAIN)
    if tag == "main" or (tag == "article" and named in (Role.PLAIN, Role.META)):
        return Role.CONTENT
    return named


@lru_cache(maxsize=4096)
def is_label(names: str) -> bool:
    """Whether an element inside a line is there to be clicked or left unread."""
    return any(_LABELS.role(_name(token)) is not Role.PLAIN for token in names.split())


@lru_cache(maxsize=16384)
def _named(token: str) -> Role:
    name = _name(token)
    bare = _LAYOUT.sub("", name) if "-" in name else name
    return _ALL.role(name) if bare == name else min(_BODIES.role(name), _ALL.role(bare))


def _name(token: str) -> str:
    token = token[:_MAX_LETTERS]
    if not token.islower():
        token = _CAMEL.sub("-", token).lower()
    return token.replace("__", "-").replace("_", "-")
