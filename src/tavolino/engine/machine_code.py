"""Compiles an entry point and everything that it calls as one LLVM module, optimised once.

Numba links, optimises and emits every function separately, each with a copy of everything that it calls. Only our
entry points are called from Python, so that work was wasted for all other functions: it took 60 % of the time to
compile. Here an inner function stays an LLVM module. The entry point that calls it, directly or indirectly, links the
modules, and optimises and emits them together.

This uses Numba's code libraries, which are not a public interface: pyproject.toml pins Numba's minor version, and
tests/engine/test_machine_code.py checks the behaviour that we depend on.
"""

from collections.abc import Iterable
from typing import Any

import llvmlite.binding as llvm
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult
from numba.core.environment import lookup_environment

COMPILED_PREFIX = "_ZN"
ENVIRONMENT_PREFIX = "_ZN08NumbaEnv"


class _NoEnvironments:
    """An inner function has no machine code of its own, and so no environment pointer to set."""

    def set_env(self, name: str, environment: Any) -> None:
        pass


class InnerLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The LLVM module of a function that only compiled code calls."""

    codegen = _NoEnvironments()
    _shared_module: Any

    def finalize(self) -> None:
        for library in self._linking_libraries:
            self._reload_init.update(library._reload_init)
        self._finalize_dynamic_globals()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        self._ensure_finalized()
        return 0

    def _get_module_for_linking(self) -> Any:
        if self._shared_module is None:
            for function in self._final_module.functions:
                if not function.is_declaration and function.linkage == llvm.Linkage.external:
                    function.linkage = "linkonce_odr"
            self._shared_module = self._final_module
        return self._shared_module

    def linked_module(self) -> Any:
        """A module with the function and everything that it calls."""
        module = self._get_module_for_linking().clone()
        for library in _all_called(self._linking_libraries):
            module.link_in(library._get_module_for_linking(), preserve=True)
        return module

    def serialise(self) -> bytes:
        bitcode: bytes = self.linked_module().as_bitcode()
        return bitcode

    @classmethod
    def rebuild(cls, codegen: Any, bitcode: bytes) -> "InnerLibrary":
        library = cls(codegen, "inner")
        library._final_module = llvm.parse_bitcode(bitcode)
        library._finalized = True
        return library


class EntryLibrary(JITCodeLibrary):  # type: ignore[misc]
    """The machine code of a function that Python calls, with everything that it calls."""

    _linking_libraries: list[Any]

    def finalize(self) -> None:
        self._linking_libraries = _all_called(self._linking_libraries)
        super().finalize()
        for environment in self.referenced_environments(self._final_module):
            self._codegen.set_env(environment.env_name, environment)

    def _optimize_final_module(self) -> None:
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == llvm.Linkage.linkonce_odr:
                function.linkage = "internal"  # nothing outside calls it, so LLVM may inline it and drop it
        super()._optimize_final_module()

    def _verify_declare_only_symbols(self) -> None:
        """Numba checks only its own functions; a call to a function of ours that was not linked would crash."""
        for function in self._final_module.functions:
            if function.is_declaration and function.name.startswith(COMPILED_PREFIX):
                raise AssertionError(f"A compiled function was not linked: {function.name}")

    @staticmethod
    def referenced_environments(module: Any) -> list[Any]:
        names = [variable.name for variable in module.global_variables if variable.name.startswith(ENVIRONMENT_PREFIX)]
        found = [lookup_environment(name) for name in names]
        return [environment for environment in found if environment is not None and environment.can_cache()]

    def linked_module(self) -> Any:
        return self._final_module

    def serialise(self) -> tuple[bytes, list[str]]:
        module = self._final_module
        defined = [
            symbol.name
            for symbols in (module.functions, module.global_variables)
            for symbol in symbols
            if not symbol.is_declaration
        ]
        return self._get_compiled_object(), defined

    @classmethod
    def rebuild(cls, codegen: Any, stored: tuple[bytes, list[str]]) -> "EntryLibrary":
        object_code, defined = stored
        library = cls(codegen, "entry")
        library.enable_object_caching()
        library._set_compiled_object(object_code)
        library._finalize_final_module()
        codegen._engine._defined_symbols.update(defined)
        return library


def _all_called(libraries: Iterable[Any]) -> list[Any]:
    """The libraries of all functions called directly or indirectly; each after all that call it.

    The order matters: LLVM's linker omits a shared function that nothing has referred to yet.
    """
    found: dict[Any, None] = {}  # in post-order

    def visit(library: Any) -> None:
        if library not in found:
            if isinstance(library, InnerLibrary):
                for called in library._linking_libraries:
                    visit(called)
            found[library] = None

    for library in libraries:
        visit(library)
    return list(reversed(found))


class _Compiler(Compiler):  # type: ignore[misc]
    library_class: type[JITCodeLibrary]

    def __init__(self, typing_context: Any, target_context: Any, library: Any, *settings: Any) -> None:
        if library is None:
            library = self.library_class(target_context.codegen(), "code")
            library.enable_object_caching()
        super().__init__(typing_context, target_context, library, *settings)


class EntryCompiler(_Compiler):
    library_class = EntryLibrary


class InnerCompiler(_Compiler):
    library_class = InnerLibrary


def reduce_result(result: CompileResult) -> tuple[Any, ...]:
    """The parts of a compiled function to store, as Numba's own cache does for its libraries."""
    library = result.library
    environments = EntryLibrary.referenced_environments(library.linked_module())
    result.fndesc.typemap = result.fndesc.calltypes = None  # not needed, and not always possible to store
    return (
        type(library),
        library.serialise(),
        result.fndesc,
        result.environment,
        result.signature,
        result.reload_init,
        environments,
    )


def rebuild_result(target_context: Any, stored: tuple[Any, ...]) -> CompileResult:
    library_class, content, description, environment, signature, reload_init, environments = stored
    for initialise in reload_init or ():
        initialise()
    library = library_class.rebuild(target_context.codegen(), content)
    entry_point = target_context.get_executable(library, description, environment)
    for referenced in environments:
        library.codegen.set_env(referenced.env_name, referenced)
    return CompileResult(
        typing_context=target_context.typing_context,
        target_context=target_context,
        entry_point=entry_point,
        typing_error=None,
        type_annotation="",
        signature=signature,
        objectmode=False,
        lifted=(),
        fndesc=description,
        library=library,
        call_helper=None,
        environment=environment,
        metadata=None,
        reload_init=reload_init,
        referenced_envs=environments,
    )
