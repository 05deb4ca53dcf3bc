// The extension module `tavolino.engine._caller`: calls the entry points of a library that was compiled ahead of time.
//
// An entry point takes one pointer to 64-bit words (aot/wrappers.py): word 0 is for the result; then a number is one
// word, and an array is its address and its shape. Arrays are passed without a copy. Every argument is checked against
// the types that the library was compiled for, and the GIL is released during the call.
//
// Python's stable ABI (3.11 and later) is declared here by hand: so the module is built for every platform on any
// machine, without the headers of a Python of that platform.
typedef long long i64;
typedef __PTRDIFF_TYPE__ ssize;
typedef struct { ssize references; void *type; } Object;
typedef Object *(*Function)(Object *, Object *const *, ssize); // METH_FASTCALL
typedef struct { const char *name; Function function; int flags; const char *doc; } Method;
typedef struct {
    Object head; void *init; ssize index; Object *copy; // PyModuleDef_Base
    const char *name, *doc; ssize size; Method *methods; void *slots, *traverse, *clear, *release;
} Module;
typedef struct {
    void *data; Object *owner; ssize length, itemsize; int is_readonly, dimensions;
    char *format; ssize *shape, *strides, *suboffsets; void *internal;
} Buffer;
enum { FASTCALL = 0x80, WRITABLE = 0x01, C_CONTIGUOUS = 0x38, STABLE_ABI = 3, EQUAL = 2, BIND_NOW = 2 };

extern Object _Py_NoneStruct, *PyExc_TypeError, *PyExc_ValueError, *PyExc_OSError, *PyExc_RuntimeError, *PyExc_IndexError;
extern char PyTuple_Type, PyBool_Type;
extern Object *PyModule_Create2(Module *, int), *PyCFunction_NewEx(Method *, Object *, Object *);
extern Object *PyErr_Format(Object *, const char *, ...), *PyErr_Occurred(void);
extern Object *PyCapsule_New(void *, const char *, void (*)(Object *));
extern Object *PyLong_FromLongLong(i64), *PyLong_FromVoidPtr(void *), *PyBool_FromLong(long);
extern Object *PyUnicode_InternFromString(const char *), *PyObject_GetAttr(Object *, Object *);
extern Object *PySequence_GetItem(Object *, ssize);
extern int PyObject_GetBuffer(Object *, Buffer *, int), PyObject_RichCompareBool(Object *, Object *, int);
extern int PyType_IsSubtype(void *, void *), PyUnicode_CompareWithASCIIString(Object *, const char *);
extern ssize PySequence_Size(Object *);
extern i64 PyLong_AsLongLong(Object *);
extern double PyFloat_AsDouble(Object *);
extern const char *PyUnicode_AsUTF8AndSize(Object *, ssize *);
extern void *PyLong_AsVoidPtr(Object *), *PyCapsule_GetPointer(Object *, const char *), *PyEval_SaveThread(void);
extern void *PyMem_Calloc(ssize, ssize);
extern void PyMem_Free(void *), PyBuffer_Release(Buffer *), PyEval_RestoreThread(void *);
extern void Py_IncRef(Object *), Py_DecRef(Object *), PyErr_Clear(void);
extern void *dlopen(const char *, int), *dlsym(void *, const char *);
extern char *dlerror(void);

enum { MAX_ARGUMENTS = 48, MAX_ARRAYS = 40, MAX_DIMENSIONS = 4, MAX_WORDS = 1 + MAX_ARGUMENTS * (1 + MAX_DIMENSIONS) };
// The kinds of arguments and results. An index is below the length of an array among the arguments, a count at most it.
static const char *const KINDS[] = {"whole", "index", "count", "real", "truth", "none", "array", "tuple"};
enum { WHOLE, INDEX, COUNT, REAL, TRUTH, NONE, ARRAY, TUPLE, N_KINDS };

typedef struct {
    int kind;
    i64 number; // of the array whose length limits an index or a count; how many items a tuple has
    int dimensions;
    ssize least[MAX_DIMENSIONS]; // lengths of an array
    Object *dtype;
} Argument;

typedef struct {
    int (*function)(i64 *);
    const char *name;
    Object *name_object;
    int result, n_arguments, n_arrays; // `arguments` holds the items of a tuple after it
    Argument arguments[MAX_ARGUMENTS];
} Point;

typedef struct {
    i64 words[MAX_WORDS];
    Buffer held[MAX_ARRAYS];
    int n_words, n_held, next; // the next argument of the entry point
} Call;

static const char POINT[] = "tavolino entry point";
static Object *dtype_name;

static int refuse(Point *point, int nth, const char *what) {
    PyErr_Clear();
    PyErr_Format(PyExc_TypeError, "%s: argument %d is not %s", point->name, nth + 1, what);
    return 0;
}

static int pack_array(Point *point, Argument *wanted, Call *call, Object *one, int nth) {
    Object *dtype = PyObject_GetAttr(one, dtype_name);
    if (!dtype) return refuse(point, nth, "an array");
    if (dtype != wanted->dtype) {
        if (PyObject_RichCompareBool(dtype, wanted->dtype, EQUAL) != 1) {
            Py_DecRef(dtype);
            PyErr_Clear();
            PyErr_Format(PyExc_TypeError, "%s: argument %d is not an array of %S", point->name, nth + 1, wanted->dtype);
            return 0;
        }
        Py_DecRef(wanted->dtype); // from now on it is the same object, which is quicker to compare
        wanted->dtype = dtype;
    } else Py_DecRef(dtype);
    Buffer *buffer = &call->held[call->n_held];
    if (PyObject_GetBuffer(one, buffer, C_CONTIGUOUS | WRITABLE)) return refuse(point, nth, "an array in C order that can be written");
    call->n_held++;
    if (buffer->dimensions != wanted->dimensions) return refuse(point, nth, "an array of so many dimensions");
    call->words[call->n_words++] = (i64)(ssize)buffer->data;
    for (int d = 0; d < buffer->dimensions; d++) {
        if (buffer->shape[d] < wanted->least[d]) {
            PyErr_Format(PyExc_ValueError, "%s: argument %d is too small: %zd instead of at least %zd in dimension %d",
                         point->name, nth + 1, buffer->shape[d], wanted->least[d], d + 1);
            return 0;
        }
        call->words[call->n_words++] = buffer->shape[d];
    }
    return 1;
}

static int pack(Point *point, Call *call, Object *one, int nth) {
    Argument *wanted = &point->arguments[call->next++];
    double real;
    switch (wanted->kind) {
    case ARRAY: return pack_array(point, wanted, call, one, nth);
    case REAL:
        real = PyFloat_AsDouble(one);
        if (PyErr_Occurred()) return refuse(point, nth, "a number");
        __builtin_memcpy(&call->words[call->n_words++], &real, sizeof real);
        return 1;
    case NONE: return one == &_Py_NoneStruct ? 1 : refuse(point, nth, "None");
    case TUPLE:
        if (!PyType_IsSubtype(one->type, &PyTuple_Type) || PySequence_Size(one) != wanted->number) return refuse(point, nth, "the tuple of arrays");
        for (i64 i = 0; i < wanted->number; i++) {
            Object *item = PySequence_GetItem(one, i);
            int is_packed = item && pack(point, call, item, nth);
            if (item) Py_DecRef(item); // the tuple holds it, and the caller the tuple
            if (!is_packed) return 0;
        }
        return 1;
    case TRUTH:
        if (one->type != (void *)&PyBool_Type) return refuse(point, nth, "True or False");
        // fall through
    default:
        call->words[call->n_words++] = PyLong_AsLongLong(one);
        return PyErr_Occurred() ? refuse(point, nth, "a whole number of 64 bits") : 1;
    }
}

static int check_lengths(Point *point, Call *call) {
    for (int nth = 0, at = 1; nth < point->n_arguments; nth++) {
        Argument *one = &point->arguments[nth];
        if (one->kind == INDEX || one->kind == COUNT) {
            i64 value = call->words[at], length = call->held[one->number].shape[0];
            if (value < 0 || value > length - (one->kind == INDEX)) {
                PyErr_Format(PyExc_IndexError, "%s: %lld is out of range for an array of length %lld", point->name, value, length);
                return 0;
            }
        }
        at += one->kind == ARRAY ? 1 + one->dimensions : one->kind == NONE || one->kind == TUPLE ? 0 : 1;
    }
    return 1;
}

static Object *call(Object *self, Object *const *arguments, ssize count) {
    Point *point = PyCapsule_GetPointer(self, POINT);
    if (!point) return 0;
    Call call;
    call.words[0] = call.n_held = call.next = 0, call.n_words = 1;
    Object *result = 0;
    ssize nth = 0;
    while (nth < count && call.next < point->n_arguments && pack(point, &call, arguments[nth], (int)nth)) nth++;
    if (PyErr_Occurred()) goto end;
    if (nth < count || call.next < point->n_arguments) {
        PyErr_Format(PyExc_TypeError, "%s: %zd arguments are too %s", point->name, count, nth < count ? "many" : "few");
        goto end;
    }
    if (!check_lengths(point, &call)) goto end;
    void *thread = PyEval_SaveThread();
    int status = point->function(call.words);
    PyEval_RestoreThread(thread);
    if (status) PyErr_Format(PyExc_RuntimeError, "%s: the compiled code ended with status %d", point->name, status);
    else if (point->result == NONE) Py_IncRef(result = &_Py_NoneStruct);
    else result = point->result == TRUTH ? PyBool_FromLong(call.words[0] != 0) : PyLong_FromLongLong(call.words[0]);
end:
    for (int i = 0; i < call.n_held; i++) PyBuffer_Release(&call.held[i]);
    return result;
}
static Method call_method = {"call", call, FASTCALL, "Call the entry point."};

static int kind_of(Object *word) {
    for (int kind = 0; word && kind < N_KINDS; kind++)
        if (PyUnicode_CompareWithASCIIString(word, KINDS[kind]) == 0) return kind;
    PyErr_Format(PyExc_ValueError, "an unknown kind of argument");
    return -1;
}

static i64 number_at(Object *described, ssize at, i64 most) {
    Object *item = PySequence_GetItem(described, at);
    i64 number = item ? PyLong_AsLongLong(item) : -1;
    if (item) Py_DecRef(item);
    if (!PyErr_Occurred() && (number < 0 || number > most)) PyErr_Format(PyExc_ValueError, "a number of an argument is out of range");
    return number;
}

// described: (kind, ...): an array has its type and its least lengths, a tuple its items, an index or a count an array.
static int describe(Point *point, Object *described) {
    if (point->n_arguments == MAX_ARGUMENTS) return PyErr_Format(PyExc_ValueError, "too many arguments"), 0;
    Argument *one = &point->arguments[point->n_arguments++];
    ssize size = PySequence_Size(described);
    Object *word = size > 0 ? PySequence_GetItem(described, 0) : 0;
    one->kind = word ? kind_of(word) : -1;
    if (word) Py_DecRef(word);
    if (one->kind < 0) return 0;
    if (one->kind == INDEX || one->kind == COUNT) one->number = number_at(described, 1, MAX_ARRAYS - 1);
    if (one->kind == ARRAY) {
        if (point->n_arrays++ == MAX_ARRAYS || size < 2 || size > 2 + MAX_DIMENSIONS) return PyErr_Format(PyExc_ValueError, "too many arrays or dimensions"), 0;
        one->dtype = PySequence_GetItem(described, 1);
        one->dimensions = (int)size - 2;
        for (int d = 0; d < one->dimensions; d++) one->least[d] = number_at(described, d + 2, 1ll << 40);
    }
    if (one->kind == TUPLE) {
        one->number = size - 1;
        for (ssize i = 1; i < size; i++) {
            Object *item = PySequence_GetItem(described, i);
            int is_right = item && describe(point, item);
            if (item) Py_DecRef(item);
            if (!is_right) return 0;
        }
    }
    return !PyErr_Occurred();
}

static void release(Object *capsule) {
    Point *point = PyCapsule_GetPointer(capsule, POINT);
    for (int i = 0; i < point->n_arguments; i++)
        if (point->arguments[i].dtype) Py_DecRef(point->arguments[i].dtype);
    if (point->name_object) Py_DecRef(point->name_object);
    PyMem_Free(point);
}

// bind(handle, symbol, kind of the result, descriptions of the arguments): a function that calls the entry point
static Object *bind(Object *self, Object *const *given, ssize count) {
    if (count != 4) return PyErr_Format(PyExc_TypeError, "bind takes 4 arguments");
    void *handle = PyLong_AsVoidPtr(given[0]);
    if (PyErr_Occurred()) return 0;
    const char *name = PyUnicode_AsUTF8AndSize(given[1], 0);
    if (!name) return 0;
    void *function = dlsym(handle, name);
    if (!function) return PyErr_Format(PyExc_OSError, "the library has no entry point %s", name);
    Point *point = PyMem_Calloc(1, sizeof(Point));
    Object *capsule = point ? PyCapsule_New(point, POINT, release) : 0;
    if (!capsule) return 0;
    Py_IncRef(point->name_object = given[1]);
    point->name = name, point->function = (int (*)(i64 *))function, point->result = kind_of(given[2]);
    ssize n = PySequence_Size(given[3]);
    for (ssize i = 0; i < n && !PyErr_Occurred(); i++) {
        Object *described = PySequence_GetItem(given[3], i);
        if (described) describe(point, described), Py_DecRef(described);
    }
    for (int i = 0; i < point->n_arguments && !PyErr_Occurred(); i++) {
        Argument *one = &point->arguments[i];
        if ((one->kind == INDEX || one->kind == COUNT) && one->number >= point->n_arrays) PyErr_Format(PyExc_ValueError, "an index refers to no array");
    }
    Object *bound = PyErr_Occurred() ? 0 : PyCFunction_NewEx(&call_method, capsule, 0);
    Py_DecRef(capsule);
    return bound;
}

// load(path): a handle of the shared library, which is never closed
static Object *load(Object *self, Object *const *given, ssize count) {
    const char *path = count == 1 ? PyUnicode_AsUTF8AndSize(given[0], 0) : 0;
    if (!path) return PyErr_Occurred() ? 0 : PyErr_Format(PyExc_TypeError, "load takes a path");
    void *handle = dlopen(path, BIND_NOW);
    return handle ? PyLong_FromVoidPtr(handle) : PyErr_Format(PyExc_OSError, "%s", dlerror());
}

static Method methods[] = {{"load", load, FASTCALL, 0}, {"bind", bind, FASTCALL, 0}, {0, 0, 0, 0}};
static Module module = {.head = {1, 0}, .name = "_caller", .size = -1, .methods = methods};
__attribute__((visibility("default"))) Object *PyInit__caller(void) {
    dtype_name = PyUnicode_InternFromString("dtype");
    return dtype_name ? PyModule_Create2(&module, STABLE_ABI) : 0;
}
