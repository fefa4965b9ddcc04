"""Sites that people own: their settings, their keys, and the inventory of their live paths.

Everything about redirects and broken URLs belongs to one site. The program that serves a site (its middleware
or its CMS) proves that it may report for the site with the key of the site.
"""
