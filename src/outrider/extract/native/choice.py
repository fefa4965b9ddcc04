from pathlib import Path
from functools import cache
from outrider.extract.native.library import Library
import os
@cache
def loaded():
    return Library(Path(os.environ.get("NATIVE_LIB", "/tmp/nb/lib.so")))
