"""`tavolino compile`: compiles a game of another package ahead of time, into that package."""

from typing import Annotated

import typer

from tavolino.cli.errors import Failure, WrongUse


def compile(
    package: Annotated[str, typer.Argument(metavar="PACKAGE", help="The Python package of an installed game.")],
    target: Annotated[
        list[str] | None, typer.Option(help="A platform, such as linux-aarch64; this one by default.")
    ] = None,
) -> None:
    """Compile a game from another package, so that it needs no compiler where it is played."""
    from tavolino.aot.targets import TARGETS
    from tavolino.engine.extras import require
    from tavolino.engine.modes import platform_name
    from tavolino.games import packages

    names = [name for name, each in packages().items() if package in (name, each)]
    if not names:
        raise WrongUse(f"No installed game has the package {package!r}. Packages: {', '.join(packages().values())}.")
    wanted = target or [platform_name()]
    native = [name for name, each in TARGETS.items() if each.is_native]
    for name in wanted:
        if name not in native:
            raise WrongUse(f"There is no platform {name!r}. Platforms: {', '.join(native)}.")
    require("compile", "numba")
    from tavolino.aot.building import CannotBuild, build, folder_of
    from tavolino.engine.ahead import FOLDER

    folder = folder_of(names[0]) / FOLDER
    try:
        build(names, [TARGETS[name] for name in wanted], folder)
    except CannotBuild as problem:
        raise Failure(problem) from None
    except OSError as problem:
        raise Failure(f"{folder} cannot be written: {problem.strerror or problem}.") from None
    print(f"{names[0]} is compiled for {', '.join(wanted)}, in {folder}.")
