// repeat LIBRARY.so TRANSCRIPT: repeats the calls of a transcript (transcripts.py) and compares every byte.
// Prints the number of calls, or the first difference, and then ends with code 1.
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORDS = 256, MAX_ARRAYS = 64, NAME_BYTES = 32 };

int main(int count, char **arguments) {
    if (count != 3) return 2;
    void *library = dlopen(arguments[1], RTLD_NOW);
    if (!library) return puts(dlerror()), 2;
    FILE *file = fopen(arguments[2], "rb");
    if (!file) return 2;
    fseek(file, 0, SEEK_END);
    long length = ftell(file);
    rewind(file);
    char *at = malloc(length);
    if (fread(at, 1, length, file) != (size_t)length) return 2;
#define NEXT (at += 8, ((int64_t *)at)[-1])
    int64_t calls = NEXT;
    for (int64_t call = 0; call < calls; call++) {
        char name[NAME_BYTES + 1] = {0};
        memcpy(name, at, NAME_BYTES);
        at += NAME_BYTES;
        int64_t wanted = NEXT, left = NEXT, words[MAX_WORDS] = {0};
        struct { char *made, *right; int64_t size; } arrays[MAX_ARRAYS];
        int n_words = 1, n_arrays = 0;
        for (; left > 0; left--) {
            if (NEXT == 0) {
                words[n_words++] = NEXT;
                continue;
            }
            int64_t dimensions = NEXT, lengths = (int64_t)(intptr_t)at;
            at += 8 * dimensions;
            int64_t size = NEXT, padded = size + (8 - size % 8) % 8;
            char *made = aligned_alloc(64, (size + 127) / 64 * 64);
            memcpy(made, at, size);
            arrays[n_arrays++] = (typeof(arrays[0])){made, at + padded, size};
            at += 2 * padded;
            words[n_words++] = (int64_t)(intptr_t)made;
            for (int64_t nth = 0; nth < dimensions; nth++) words[n_words++] = ((int64_t *)(intptr_t)lengths)[nth];
        }
        int (*entry)(int64_t *) = (int (*)(int64_t *))dlsym(library, name);
        if (!entry) return printf("call %lld, %s: missing\n", (long long)call, name), 1;
        int status = entry(words);
        if (status || words[0] != wanted)
            return printf("call %lld, %s: status %d, result %lld instead of %lld\n", (long long)call, name, status, (long long)words[0], (long long)wanted), 1;
        for (int nth = 0; nth < n_arrays; nth++) {
            if (memcmp(arrays[nth].made, arrays[nth].right, arrays[nth].size))
                return printf("call %lld, %s: array %d differs\n", (long long)call, name, nth), 1;
            free(arrays[nth].made);
        }
    }
    printf("%lld\n", (long long)calls);
    return 0;
}
