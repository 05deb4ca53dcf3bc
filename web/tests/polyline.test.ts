import { expect, test } from 'vitest'
import { polylinePoints } from '../src/lib/polyline'

test('the points go from left to right, the highest value at the top', () => {
  const points = polylinePoints([1, 3, 2], { low: 1, high: 3, top: 2, bottom: 28 })
  expect(points).toEqual(['0,28', '50,2', '100,15'])
})

test('a single value is at the left', () => {
  expect(polylinePoints([5], { low: 0, high: 10, top: 0, bottom: 60 })).toEqual(['0,30'])
})
