"""All settings, gathered from every package and read once, at the start of a command.

A package declares its settings in its own options dataclass (`outrider.options.setting`) and gets an
instance of it from its caller. Only this package reads the environment and `outrider.toml`, so
`Loaded.choices()` knows the origin of every value.

    loaded = load({"delay": 0.5}, config=None)
    loaded.settings.fetch          the options of one package
    loaded.choices()               every setting, its value (secrets masked) and its origin
    loaded.ignored                 variables of earlier crawlers that are set here without effect

A wrong value or an unknown name raises `Misconfigured` before anything else happens.
"""

from outrider.settings.load import Loaded, Settings, SettingValue, load
from outrider.settings.reference import reference

__all__ = ["Loaded", "SettingValue", "Settings", "load", "reference"]
