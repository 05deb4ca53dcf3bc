"""What code is compiled for."""

from dataclasses import dataclass

MACOS = "macos"


@dataclass(frozen=True)
class Target:
    name: str  # of a platform: as `engine.modes.platform_name` says it
    triple: str
    zig: str
    word_bits: int  # of a pointer; code is translated once for each size
    suffix: str
    cpu: str = ""
    features: str = ""
    is_static: bool = False

    @property
    def is_native(self) -> bool:
        return self.suffix == "so"

    def file(self, name: str) -> str:
        return f"{name}.{self.name}.{self.suffix}" if self.is_native else f"{name}.{self.suffix}"

    def manifest(self, name: str) -> str:
        return f"{name}.{self.name}.json" if self.is_native else f"{self.file(name)}.json"


# Every processor of WebAssembly since 2021 has these. The others are the oldest that NumPy's own wheels run on.
WASM_FEATURES = "+bulk-memory,+mutable-globals,+nontrapping-fptoint,+sign-ext,+simd128"
GLIBC = "2.17"  # manylinux2014

TARGETS = {
    target.name: target
    for target in (
        Target("linux-x86_64", "x86_64-unknown-linux-gnu", f"x86_64-linux-gnu.{GLIBC}", 64, "so", "x86-64-v2"),
        Target("linux-aarch64", "aarch64-unknown-linux-gnu", f"aarch64-linux-gnu.{GLIBC}", 64, "so", "generic"),
        Target(f"{MACOS}-aarch64", "arm64-apple-macosx11.0.0", "aarch64-macos.11.0", 64, "so", "generic"),
        Target(
            "wasm", "wasm32-unknown-unknown", "wasm32-freestanding", 32, "wasm", features=WASM_FEATURES, is_static=True
        ),
        Target("pyodide", "wasm32-unknown-emscripten", "wasm32-emscripten", 32, "side.wasm", features=WASM_FEATURES),
    )
}
# The target for which Numba translates, by the size of its pointers.
TRANSLATED_FOR = {64: TARGETS["linux-x86_64"], 32: TARGETS["wasm"]}
