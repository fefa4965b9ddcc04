"""What an element's tag, class, id and role say about its text, before anyone reads it."""

import re
from enum import IntEnum
from functools import lru_cache


class Role(IntEnum):
    """What a part of a page is there for."""

    PLAIN = 0
    CHROME = 1  # navigation, sharing, promotion, legal: on every page of the site
    TEASER = 7  # a foretaste of another page
    COMMENTS = 2  # readers' words: chrome under an article, the content of a forum
    META = 3  # who and when: beside the text, not of it
    CONTENT = 4  # says so, vaguely
    BODY = 5  # says so, precisely
    CONSENT = 6  # the cookie banner: long, well written, and never what anyone came for


# Tokens that describe the layout of what they stand on, and the modifiers of a block: no word about its purpose.
_ASIDE = re.compile(
    r"(?<=\w)--\S*|(?:^|(?<=\s))(?:no|has|with|without|is|align|col|row|elementor|wp-block|vc|et-pb|layout|fl)-\S*"
)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")

_COMMENTS = re.compile(
    r"(?<![a-z])(?:comments?(?![a-z])|commentlist|disqus|discussion|livefyre|forum|fb-comments|replies|reactions?(?![a-z]))"
)
_CHROME = re.compile(
    r"""(?<![a-z])(?:
    nav(?![a-z])|navi(?![a-z])|navigation|navbar|navbox|menu|breadcrumbs?|pagination|pager(?![a-z])|paging|page-?numbers|post-?nav|skip-?(?:link|to)
    |footer|foot(?![a-z])|bottom-?(?:bar|nav|menu)|masthead|site-?header|page-?header-?top|top-?bar|toolbar|sidebar|side-?bar|side-?col|(?:right|left)-?(?:col|rail|bar|side)\w*|rail(?![a-z])|aside
    |widgets?(?![a-z])|share(?![a-z])|shares(?![a-z])|sharing|share-?(?:bar|buttons?|links?|tools?|this)|sharedaddy|social|socials|follow-?(?:us|bar|buttons?)|addthis|addtoany
    |related|recommend(?:ed|ations?)?|similar|recirc|more-?(?:from|on|stories|news|articles|posts|like)|read-?(?:more|next|also)|see-?also|you-?(?:may|might)|also-?(?:like|bought|viewed)|trending|popular|most-?(?:read|viewed|popular)|latest-?(?:news|posts|stories)|up-?next|next-?(?:prev|article|post|story)|prev-?next|outbrain|taboola|yarpp|jp-relatedposts|crosslinks?
    |newsletter|subscri(?:be|ption)|sign-?up|signup|login|log-?in|register|mailing|opt-?in|donat(?:e|ion)
    |promo(?:tion|s|box)?(?![a-z])|sponsor(?:ed|s)?|advert\w*|ads?(?![a-z])|adsense|adbox|adslot|ad-?(?:unit|slot|container|wrapper)|banner|dfp|commercial|affiliate
    |cookies?|consent|privacy|legal|disclaimer|copyright|modal|popup|pop-?up|overlay|lightbox|dialog|tooltip|dropdown|off-?canvas|drawer
    |tags?(?![a-z])|tag-?(?:list|cloud|links)|tagged|post-?tags|categor(?:y|ies)-?(?:links?|list)?(?![a-z])|cat-?links|keywords|topics?-?list
    |authors?-?\w+|about-?(?:the-?)?author|bio(?![a-z])|byline-?bio
    |respond(?![a-z])|comment-?(?:form|respond|reply)|reply-?(?:form|title)|leave-?(?:a-?)?(?:comment|reply)|search(?![a-z])|search-?(?:form|box|bar)|language-?(?:switcher|selector)|rating|ratings|voting|votes?(?![a-z])|votecell|online-?list|who-?is-?online|stat-?block|poll(?![a-z])
    |user-?(?:info|details|title|extras|card|name|avatar|stats|rank|box|panel)|username|avatar|message-?(?:user|attribution|action)\w*|postprofile|poster(?![a-z])|post-?(?:author|head|footer|menu|buttons?|actions?|toolbar|signature)|action-?bar|comhead|subtext|tagline|reputation|karma|signature|buttons?(?![a-z])|btn|print(?![a-z])|hidden|visually-?hidden|sr-?only|screen-?reader|noprint|edit-?section|mw-editsection|headerlink|toc(?![a-z])|table-?of-?contents|jump-?(?:link|menu)
    |call-?to-?action|cta(?![a-z])|carousel|slideshow|thumbnails?(?![a-z])|site-?map|credits?(?![a-z])|feedback|back-?to-?top|scroll-?top|reflist|references(?![a-z])
    )""",
    re.VERBOSE,
)
_CONSENT = re.compile(
    r"(?<![a-z])(?:cookie-?(?:banner|bar|notice|consent|policy|law|popup|modal|message|overlay|info|warning|alert|dialog|settings|wall)\w*|cookieconsent|cookiebot|cmp(?:box|-?container|-?banner|lib)\w*|qc-cmp\w*|onetrust\w*|didomi\w*|usercentrics\w*|cybot\w*|iubenda-cs|truste\w*|borlabs\w*|klaro|gdpr\w*|consent-?(?:banner|popup|modal|manager|dialog)|cc-window|sp-message)"
)
_TEASER = re.compile(
    r"(?<![a-z])(?:cards?(?![a-z])|teasers?|snippet|excerpt|tile|promo-?item|post-?(?:preview|summary))"
)
_LABEL = re.compile(
    r"(?<![a-z])(?:btn|buttons?(?![a-z])|headerlink|header-?anchor|permalink|anchor-?link|more-?link|read-?more|skip-?(?:link|to)|share|social"
    r"|sr-?only|visually-?hidden|screen-?reader|hidden|edit-?section|mw-editsection|tooltip|badge|icon)"
)
_META = re.compile(
    r"(?<![a-z])(?:byline|by-?line|dateline|timestamp|time-?stamp|meta(?:data|-?info)?(?![a-z])|(?:post|entry|article)-?(?:meta|info|date|author|details)"
    r"|published|pub-?date|date(?![a-z])|author(?![a-z])|authors|kicker|eyebrow|read(?:ing)?-?time|caption|wp-caption-text|image-?credit|photo-?credit)"
)
_BODY = re.compile(
    r"(?<![a-z])(?:article-?(?:body|content|text|copy|main|entry)|(?:post|entry|story|blog|news|single|page|body|main|rich)-?(?:body|content|text|copy|article)(?![a-z])|content-?(?:body|text|article|main)|story-?body\w*|field-*(?:name-?(?:field-?)?)?body|text-?body|body-?(?:copy|text)|articletext|artikel\w*|markdown-?body|mw-parser-output|hentry|type-(?:post|page)(?![a-z])|instapaper_body|prose(?![a-z]))"
)
_CONTENT = re.compile(
    r"(?<![a-z])(?:content|main|article|post|entry|story|text|body|page|blog|wiki|document|docs?|inhalt|contenu|contenido)(?![a-z])"
)

_BY_TAG = {
    "nav": Role.CHROME,
    "footer": Role.CHROME,
    "aside": Role.CHROME,
    "menu": Role.CHROME,
    "dialog": Role.CHROME,
    "form": Role.CHROME,
}
_BY_ROLE = {
    "navigation": Role.CHROME,
    "banner": Role.CHROME,
    "contentinfo": Role.CHROME,
    "complementary": Role.CHROME,
    "search": Role.CHROME,
    "dialog": Role.CHROME,
    "alertdialog": Role.CHROME,
    "menu": Role.CHROME,
    "menubar": Role.CHROME,
    "toolbar": Role.CHROME,
    "main": Role.CONTENT,
    "article": Role.CONTENT,
}


@lru_cache(maxsize=8192)
def role_of(tag: str, names: str, aria: str, itemprop: str) -> Role:
    """What the element says it is. `names` is its class and id."""
    if itemprop in ("articleBody", "reviewBody", "text"):
        return Role.BODY
    if (role := _BY_TAG.get(tag)) is not None:
        return role
    if (role := _BY_ROLE.get(aria)) is not None:
        return role
    named = _named(names) if names else Role.PLAIN
    if tag == "main" or (tag == "article" and named in (Role.PLAIN, Role.META)):
        return Role.CONTENT
    return named


@lru_cache(maxsize=8192)
def is_label(names: str) -> bool:
    """Whether an element inside a line is there to be clicked or left unread."""
    return bool(_LABEL.search(_CAMEL.sub("-", names[:300]).lower().replace("_", "-")))


def _named(names: str) -> Role:
    words = _CAMEL.sub("-", names[:300]).lower().replace("__", "-").replace("_", "-")
    if _BODY.search(words):
        return Role.BODY
    words = _ASIDE.sub(" ", words)
    if _CONSENT.search(words):
        return Role.CONSENT
    if _CHROME.search(words):
        return Role.CHROME
    if _COMMENTS.search(words):
        return Role.COMMENTS
    if _META.search(words):
        return Role.META
    if _TEASER.search(words):
        return Role.TEASER
    if _CONTENT.search(words):
        return Role.CONTENT
    return Role.PLAIN
