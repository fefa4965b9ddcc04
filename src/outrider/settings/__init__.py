"""What people may choose, gathered from every package and read once, at the start of a command.

A package declares its settings in its own options dataclass (`outrider.options.setting`) and is
handed that dataclass by whoever builds it. Only this package reads the environment and
`outrider.toml`, so a value has exactly one way in, and `Loaded.choices()` can say which it took.

    loaded = load({"delay": 0.5}, config=None)
    loaded.settings.fetch          the options of one package
    loaded.choices()               every setting, its value (secrets masked) and its origin
    loaded.ignored                 variables of earlier crawlers that are set here without effect

A wrong value or an unknown name raises `Misconfigured` before anything else happens.
"""

from outrider.settings.load import Loaded, Settings, SettingValue, load
from outrider.settings.reference import reference

__all__ = ["Loaded", "SettingValue", "Settings", "load", "reference"]
