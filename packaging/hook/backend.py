"""Builds what `pip install .` installs of this tree: an empty wheel that requires the package
mcplumb in the same version. It is a build backend that needs no other (PEP 517), so that a hook of
pre-commit is there after one download, without a compiler.
"""

import base64
import hashlib
import os
import re
import zipfile

NAME = "mcplumb_hook"
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def version():
    """The version of this tree, where scripts/version has it from."""
    with open(os.path.join(ROOT, "internal", "built", "built.go"), encoding="utf-8") as source:
        return re.search(r'^const Version = "(.*)"$', source.read(), re.MULTILINE).group(1)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    v = version()
    info = f"{NAME}-{v}.dist-info"
    files = {
        f"{info}/METADATA": f"Metadata-Version: 2.1\nName: mcplumb-hook\nVersion: {v}\nRequires-Dist: mcplumb=={v}\n",
        f"{info}/WHEEL": "Wheel-Version: 1.0\nGenerator: mcplumb\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = ""
    for name, text in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()
        record += f"{name},sha256={digest},{len(text.encode())}\n"
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n"

    wheel = f"{NAME}-{v}-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(wheel_directory, wheel), "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return wheel
