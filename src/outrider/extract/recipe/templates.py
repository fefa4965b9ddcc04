"""Selectors for sites of the same system, recognised by name, by domain, or by the HTML of a page."""

import re
from dataclasses import dataclass, field

from outrider.errors import InvalidInput
from outrider.extract.recipe.selectors import ArticleSelectors, ListSelectors, Selectors

INSPECTED_BYTES = 4096  # bytes of a page that tell what made it


@dataclass(frozen=True, slots=True)
class Template:
    """The selectors of one content management system."""

    name: str
    article: ArticleSelectors
    marks: str  # what its pages say of themselves, as a regular expression over lower-case HTML
    cards: str = ""  # articles in its lists
    domains: tuple[str, ...] = ()
    selectors: Selectors = field(init=False)
    pattern: re.Pattern[bytes] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(
            self, "selectors", Selectors(self.article, ListSelectors(article_cards=self.cards))
        )
        object.__setattr__(self, "pattern", re.compile(self.marks.encode()))


def template_named(name: str) -> Template:
    """Raises InvalidInput, with the names there are."""
    found = TEMPLATES.get(name.strip().lower())
    if found is None:
        raise InvalidInput(f"there is no template {name[:40]!r}: choose {', '.join(TEMPLATES)}")
    return found


def template_of_host(host: str) -> Template | None:
    """The template of a hosting service, by its domain."""
    while "." in host:
        if host in _BY_DOMAIN:
            return _BY_DOMAIN[host]
        host = host.partition(".")[2]
    return None


def template_of_page(html: bytes) -> Template | None:
    """The template that the first 4 KB of a page match."""
    head = html[:INSPECTED_BYTES].lower()
    return next((each for each in TEMPLATES.values() if each.pattern.search(head)), None)


def _generator(name: str) -> str:
    """How a <meta name=generator> says it, in either order of its attributes."""
    return rf"<meta[^>]{{1,80}}content=[\"']?{name}\b|generator[\"']?\s{{1,9}}content=[\"']?{name}\b"


_TEMPLATES = (
    Template(
        "substack",
        ArticleSelectors(
            title="h1.post-title",
            body=".available-content .body, .body.markup",
            intro="h3.subtitle",
            published_time="time[datetime], .pencraft time",
            author=".byline-names a, a[href*='/@']",
            exclude=(".subscription-widget-wrap", ".button-wrapper", ".footnote", ".post-ufi"),
        ),
        marks=r"substackcdn\.com|substack-post-media",
        cards=".post-preview, [class*=portable-archive] [role=article]",
        domains=("substack.com",),
    ),
    Template(
        "medium",
        ArticleSelectors(
            title="h1[data-testid=storyTitle], article h1",
            body="article section",
            author="[data-testid=authorName]",
            published_time="[data-testid=storyPublishDate]",
            exclude=("[data-testid=headerClapButton]", "[role=tooltip]", "figcaption", "button"),
        ),
        marks=r"com\.medium\.reader|miro\.medium\.com|cdn-client\.medium\.com",
        cards="article[data-testid=post-preview]",
        domains=("medium.com",),
    ),
    Template(
        "blogger",
        ArticleSelectors(
            title="h3.post-title, h1.post-title",
            body=".post-body",
            published_time="abbr.published, time.published",
            author=".post-author .fn, [itemprop=author] [itemprop=name]",
            exclude=(".post-share-buttons", ".post-footer", ".blog-pager"),
        ),
        marks=_generator("blogger") + r"|blogger\.com/(?:static|feeds)|blogblog\.com",
        cards=".blog-posts .post-outer",
        domains=("blogspot.com",),
    ),
    Template(
        "ghost",
        ArticleSelectors(
            title="h1.gh-article-title, h1.article-title, .post-full-title",
            body=".gh-content, .post-full-content, .post-content",
            intro=".gh-article-excerpt, .article-excerpt",
            published_time="time[datetime]",
            author=".gh-article-author-name, .author-name",
            exclude=(".gh-post-upgrade-cta", ".kg-signup-card", ".kg-bookmark-card"),
        ),
        marks=_generator("ghost") + r"|/ghost/api/|data-ghost=",
        cards="article.gh-card, article.post-card",
        domains=("ghost.io",),
    ),
    Template(
        "squarespace",
        ArticleSelectors(
            title="h1.entry-title, .blog-item-title h1",
            body=".blog-item-content, .entry-content, .sqs-layout",
            published_time="time.dt-published, time.published",
            author=".blog-author-name, .author-name",
            exclude=(".item-pagination", ".newsletter-block", ".sqs-block-form", ".blog-item-comments"),
        ),
        marks=r"this is squarespace|static1\.squarespace\.com|assets\.squarespace\.com",
        cards="article.blog-item, .summary-item, article.entry",
        domains=("squarespace.com",),
    ),
    Template(
        "wix",
        ArticleSelectors(
            title="h1[data-hook=post-title], [data-hook=post-title] h1",
            body="[data-hook=post-description], .post-content__body",
            published_time="[data-hook=time-ago]",
            author="[data-hook=user-name]",
            exclude=("[data-hook=post-footer]", "[data-hook=share-buttons]"),
        ),
        marks=_generator(r"wix\.com") + r"|static\.parastorage\.com|static\.wixstatic\.com",
        cards="[data-hook=post-list-item], article.gallery-item-container",
        domains=("wixsite.com",),
    ),
    Template(
        "shopify",
        ArticleSelectors(
            title="h1.article-template__title, .article__title, .article h1",
            body=".article-template__content, .article__content, .article .rte",
            published_time="time[datetime]",
            author=".article__author, .article-template__author",
            exclude=(
                ".article-template__social-sharing",
                ".share-button",
                ".article-template__comment-wrapper",
            ),
        ),
        marks=r"cdn\.shopify\.com|shopify\.theme|shopify-digital-wallet",
        cards=".article-card, .blog-articles__article",
        domains=("myshopify.com",),
    ),
    Template(
        "webflow",
        ArticleSelectors(body=".w-richtext", exclude=(".w-form", ".w-embed")),
        marks=_generator("webflow") + r"|data-wf-(?:site|page)=",
        cards=".w-dyn-item",
        domains=("webflow.io",),
    ),
    Template(
        "drupal",
        ArticleSelectors(
            title="h1.page-title, .node__title, h1#page-title",
            body=".node__content .field--name-body, .field-name-body, .node .field--name-body",
            published_time=".node__submitted time, .field--name-created time, .submitted time",
            author=".node__submitted .username, .submitted .username",
            exclude=(".node__links", ".links.inline", ".comment-wrapper", ".field--name-field-tags"),
        ),
        marks=_generator("drupal") + r"|data-drupal-|/sites/default/files/|drupal\.settings",
        cards=".view-content .views-row, article.node--view-mode-teaser",
    ),
    Template(
        "joomla",
        ArticleSelectors(
            title=".item-page h1, .item-page h2[itemprop=headline], .page-header h1",
            body="[itemprop=articleBody], .item-page .com-content-article__body",
            published_time=".item-page time[datetime]",
            author=".item-page .createdby [itemprop=name]",
            exclude=(".pager", ".pagenavigation", ".article-info", ".icons", ".content_rating"),
        ),
        marks=_generator("joomla") + r"|/media/jui/|/media/system/js/|joomla-script-options",
        cards=".blog-item, .items-row .item, .com-content-category-blog__item",
    ),
    Template(
        "typo3",
        ArticleSelectors(
            title=".news-single h1, .news-single [itemprop=headline]",
            body=".news-single .news-text-wrap, .news-single [itemprop=articleBody]",
            intro=".news-single .teaser-text, .news-single .lead",
            published_time=".news-single time[datetime]",
            author=".news-single .news-list-author, .news-single [itemprop=author]",
            exclude=(".news-related-wrap", ".news-backlink-wrap", ".news-img-wrap"),
        ),
        marks=_generator("typo3") + r"|this website is powered by typo3|/typo3(?:temp|conf)/",
        cards=".news-list-view .article, .news-list-item",
    ),
    Template(
        "hugo",
        ArticleSelectors(
            title="h1.post-title, article header h1, h1.title",
            body=".post-content, article .content, .article-content",
            published_time="time[datetime]",
            exclude=(".post-footer", ".paginav", ".toc"),
        ),
        marks=_generator("hugo"),
        cards="article.post-entry, .post-list article",
    ),
    Template(
        "jekyll",
        ArticleSelectors(
            title="h1.post-title, h1.page__title",
            body=".post-content, .page__content",
            published_time="time.dt-published, .post-meta time",
            author=".p-author .p-name",
            exclude=(".page__share", ".page__related", ".pagination", ".toc"),
        ),
        marks=_generator("jekyll") + r"|jekyll seo tag",
        cards=".post-list > li, .list__item article",
    ),
    # Last, because its marks stand on pages of plug-ins for others, too.
    Template(
        "wordpress",
        ArticleSelectors(
            title="h1.entry-title, h1.wp-block-post-title, h1.post-title",
            body=".entry-content, .wp-block-post-content, .post-content",
            published_time="time.entry-date.published, time.entry-date, .wp-block-post-date time",
            author=".author.vcard .fn, .byline .author, .wp-block-post-author-name",
            category=".cat-links a, .wp-block-post-terms a",
            exclude=(
                ".sharedaddy",
                ".jp-relatedposts",
                ".addtoany_share_save_container",
                ".wp-block-buttons",
                ".post-navigation",
                ".yarpp-related",
            ),
        ),
        marks=_generator("wordpress") + r"|/wp-content/|/wp-includes/|api\.w\.org",
        cards="article.post, .wp-block-post-template > li",
        domains=("wordpress.com",),
    ),
)
TEMPLATES = {template.name: template for template in _TEMPLATES}
_BY_DOMAIN = {domain: template for template in _TEMPLATES for domain in template.domains}
