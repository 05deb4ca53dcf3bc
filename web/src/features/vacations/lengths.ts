/** The days that are offered. */
export const LENGTHS = [1, 2, 3, 5, 7, 10, 14]
