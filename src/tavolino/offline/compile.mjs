// node compile.mjs PYODIDE FROM TO: the frozen Python of a folder, and as much of Python's library as it loads, as two
// archives of code compiled by the same Pyodide. Every module is imported once: one that cannot be is an error here.
import fs from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const [pyodide, from, to] = process.argv.slice(2).map((each) => path.resolve(each))
const { loadPyodide } = await import(pathToFileURL(path.join(pyodide, 'pyodide.mjs')))
// Without the columns of errors: a fifth of compiled Python.
const env = { PYTHONNODEBUGRANGES: '1' }
const python = await loadPyodide({ env, stderr: () => undefined })
python.FS.mkdir('/app')
python.FS.mount(python.FS.filesystems.NODEFS, { root: from }, '/app')
python.FS.writeFile('/library.zip', fs.readFileSync(path.join(pyodide, 'python_stdlib.zip')))
const run = (source) => {
  try {
    return python.runPython(source)
  } catch (problem) {
    // Without the lines of Pyodide itself, which are as long as it is.
    console.error(String(problem.message ?? problem).slice(-3000))
    process.exit(1)
  }
}
const counts = run(`
import importlib, importlib._bootstrap_external as external, os, pathlib, sys, zipfile

os.environ["TAVOLINO_COMPILED"] = "ahead"
sys.path.insert(0, "/app")
ROOT = pathlib.Path("/app")
# Of these packages, whatever there is: what they load depends on the browser, or on what is decoded.
WHOLE = ("_pyodide", "pyodide", "asyncio", "importlib", "json", "collections", "re", "ctypes")
OF_OTHER_SYSTEMS = (
    "asyncio.windows_", "asyncio.proactor_events", "ctypes._aix", "ctypes.macholib", "ctypes.wintypes",
)
ENCODINGS = {"aliases", "ascii", "cp437", "idna", "latin_1", "utf_8", "utf_16", "utf_32"}
DATE = (2020, 1, 1, 0, 0, 0)

def module_of(path):
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".")

for path in sorted(ROOT.rglob("*.py")):
    importlib.import_module(module_of(str(path.relative_to(ROOT))))
import tavolino
for name in tavolino.games():
    game = tavolino.load(name)
    match = game.start(game.players[0], seed=0)
    match.view(0), match.notebook(0)
    match.play(match.legal()[0])

def compiled(source, name, level):
    code = compile(source, name, "exec", dont_inherit=True, optimize=level)
    return external._code_to_hash_pyc(code, b"\\0" * 8, False)

def is_wanted(path):
    name = module_of(path)
    if name.startswith("encodings."):
        return name.partition(".")[2] in ENCODINGS
    spec = getattr(sys.modules.get(name), "__spec__", None)
    if name.startswith(OF_OTHER_SYSTEMS) or getattr(spec, "origin", None) == "frozen":  # the interpreter holds it
        return False
    return name in sys.modules or name.partition(".")[0] in WHOLE

kept = 0
with zipfile.ZipFile("/library.zip") as library, zipfile.ZipFile("/python.zip", "w") as archive:
    for path in sorted(library.namelist()):
        if path.endswith(".py") and is_wanted(path):
            archive.writestr(zipfile.ZipInfo(path + "c", DATE), compiled(library.read(path), path, 2))
            kept += 1
with zipfile.ZipFile("/app.zip", "w") as archive:
    for path in sorted(each for each in ROOT.rglob("*") if each.is_file() and "__pycache__" not in each.parts):
        name = str(path.relative_to(ROOT))
        if path.suffix == ".py":
            archive.writestr(zipfile.ZipInfo(name + "c", DATE), compiled(path.read_bytes(), name, 0))
        else:
            archive.writestr(zipfile.ZipInfo(name, DATE), path.read_bytes())
kept
`)
for (const name of ['python.zip', 'app.zip']) fs.writeFileSync(path.join(to, name), python.FS.readFile(`/${name}`))
console.log(`${counts} modules of Python's library`)
