"""python -m mcplumb: starts the program that the wheel has installed beside the interpreter."""

import os
import subprocess
import sys
import sysconfig


def places():
    """The directories into which installers put programs, the likeliest first."""
    yield sysconfig.get_path("scripts")
    user = sysconfig.get_preferred_scheme("user") if sys.version_info >= (3, 10) else f"{os.name}_user"
    yield sysconfig.get_path("scripts", scheme=user)
    package = os.path.dirname(os.path.abspath(__file__))
    yield os.path.join(package, "..", "bin")  # pip install --target
    yield os.path.join(package, "..", "..", "..", "..", "bin")  # pip install --prefix: lib/pythonX.Y/site-packages


def main():
    name = "mcplumb" + (".exe" if os.name == "nt" else "")
    for place in places():
        program = os.path.join(place, name)
        if os.path.isfile(program):
            break
    else:
        print("mcplumb: the program is not where installers put it: install the package again", file=sys.stderr)
        return 3  # mcplumb's exit code for what could not be checked
    arguments = [program, *sys.argv[1:]]
    if os.name == "nt":  # where exec returns to the console before the program has ended
        return subprocess.call(arguments)
    sys.stdout.flush()
    os.execv(program, arguments)


if __name__ == "__main__":
    sys.exit(main())
