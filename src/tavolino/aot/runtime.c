// What compiled rules, bots and the coach need at run time: memory for small arrays, and two functions of mathematics
// that IEEE 754 defines to the last bit.
typedef unsigned long long u64;
typedef __SIZE_TYPE__ size;
#define EXPORTED __attribute__((visibility("default")))
enum { ALIGNMENT = 64, HEAD = 64, EXTRA = ALIGNMENT + HEAD };

// The head of an array's memory, as Numba lays it out: its words have 64 bits, pointers those of the machine.
typedef struct { u64 references; void *destroy, *begin, *data; u64 length; } Head;

#ifdef IS_FREESTANDING // WebAssembly without a C library
// Memory is taken in powers of two. Released pieces form a list for each power: each holds a pointer to the next.
enum { POWERS = 32, PAGE_BITS = 16 };
extern unsigned char __heap_base;
static size end_of_heap;
static void *released[POWERS];

static int power_for(size length) { return 32 - __builtin_clz((length < ALIGNMENT ? ALIGNMENT : length) - 1); }

EXPORTED void *tavolino_take(size length) {
    int power = power_for(length);
    if (released[power]) {
        void *piece = released[power];
        released[power] = *(void **)piece;
        return piece;
    }
    size begin = end_of_heap ? end_of_heap : ((size)&__heap_base + ALIGNMENT - 1) & ~(size)(ALIGNMENT - 1);
    end_of_heap = begin + ((size)1 << power);
    size have = (size)__builtin_wasm_memory_size(0) << PAGE_BITS;
    size pages = (end_of_heap - have + (1 << PAGE_BITS) - 1) >> PAGE_BITS;
    if (end_of_heap > have && __builtin_wasm_memory_grow(0, pages) == (size)-1) __builtin_trap();
    return (void *)begin;
}

EXPORTED void tavolino_release(void *piece, size length) {
    int power = power_for(length);
    *(void **)piece = released[power];
    released[power] = piece;
}

double sqrt(double x) { return __builtin_sqrt(x); } // one instruction

double frexp(double x, int *power) { // exact: it reads the bits
    union { double real; u64 bits; } u = {x};
    int exponent = (int)(u.bits >> 52 & 0x7ff);
    *power = 0;
    if (x == 0 || exponent == 0x7ff) return x;
    if (exponent == 0) { // a number near 0, with fewer digits
        u.real = x * 0x1p64;
        exponent = (int)(u.bits >> 52 & 0x7ff) - 64;
    }
    *power = exponent - 0x3fe;
    u.bits = (u.bits & 0x800fffffffffffffull) | 0x3fe0000000000000ull;
    return u.real;
}
#else
extern void *malloc(size);
extern void free(void *);
extern double frexp(double, int *);
static void *tavolino_take(size length) {
    void *piece = malloc(length);
    if (!piece) __builtin_trap(); // a few hundred bytes
    return piece;
}
static void tavolino_release(void *piece, size length) { (void)length, free(piece); }
#endif

double numba_frexp(double x, int *power) { return frexp(x, power); }

// An array and its head; both begin at multiples of ALIGNMENT.
void *NRT_MemInfo_alloc_aligned(u64 length, unsigned alignment) {
    (void)alignment;
    char *begin = tavolino_take((size)length + EXTRA);
    Head *head = (Head *)(((size)begin + ALIGNMENT - 1) & ~(size)(ALIGNMENT - 1));
    *head = (Head){.references = 1, .begin = begin, .data = (char *)head + HEAD, .length = length};
    return head;
}

void NRT_MemInfo_call_dtor(Head *head) { tavolino_release(head->begin, (size)head->length + EXTRA); }
