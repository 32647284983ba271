;; Works on sets of positions: lists of ascending numbers of 32 bits, bits (one for each review), and gaps as
;; the index stores them. Parameters are addresses, and numbers of bytes or of elements. Sizes of bits are
;; multiples of four bytes.
(module
  (import "sets" "memory" (memory 1 65536 shared))

  ;; $to = $a and $b, for $size bytes.
  (func (export "and") (param $to i32) (param $a i32) (param $b i32) (param $size i32)
    (local $at i32)
    (block $vectorsDone
      (loop $nextVector
        (br_if $vectorsDone
          (i32.gt_u (i32.add (local.get $at) (i32.const 16)) (local.get $size)))
        (v128.store align=4 (i32.add (local.get $to) (local.get $at))
          (v128.and
            (v128.load align=4 (i32.add (local.get $a) (local.get $at)))
            (v128.load align=4 (i32.add (local.get $b) (local.get $at)))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $nextVector)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $at) (local.get $size)))
        (i32.store (i32.add (local.get $to) (local.get $at))
          (i32.and
            (i32.load (i32.add (local.get $a) (local.get $at)))
            (i32.load (i32.add (local.get $b) (local.get $at)))))
        (local.set $at (i32.add (local.get $at) (i32.const 4)))
        (br $next))))

  ;; $to = $a and not $b, for $size bytes.
  (func (export "andNot") (param $to i32) (param $a i32) (param $b i32) (param $size i32)
    (local $at i32)
    (block $vectorsDone
      (loop $nextVector
        (br_if $vectorsDone
          (i32.gt_u (i32.add (local.get $at) (i32.const 16)) (local.get $size)))
        (v128.store align=4 (i32.add (local.get $to) (local.get $at))
          (v128.andnot
            (v128.load align=4 (i32.add (local.get $a) (local.get $at)))
            (v128.load align=4 (i32.add (local.get $b) (local.get $at)))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $nextVector)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $at) (local.get $size)))
        (i32.store (i32.add (local.get $to) (local.get $at))
          (i32.and
            (i32.load (i32.add (local.get $a) (local.get $at)))
            (i32.xor (i32.load (i32.add (local.get $b) (local.get $at))) (i32.const -1))))
        (local.set $at (i32.add (local.get $at) (i32.const 4)))
        (br $next))))

  ;; $to = $a or $b, for $size bytes.
  (func (export "or") (param $to i32) (param $a i32) (param $b i32) (param $size i32)
    (local $at i32)
    (block $vectorsDone
      (loop $nextVector
        (br_if $vectorsDone
          (i32.gt_u (i32.add (local.get $at) (i32.const 16)) (local.get $size)))
        (v128.store align=4 (i32.add (local.get $to) (local.get $at))
          (v128.or
            (v128.load align=4 (i32.add (local.get $a) (local.get $at)))
            (v128.load align=4 (i32.add (local.get $b) (local.get $at)))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $nextVector)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $at) (local.get $size)))
        (i32.store (i32.add (local.get $to) (local.get $at))
          (i32.or
            (i32.load (i32.add (local.get $a) (local.get $at)))
            (i32.load (i32.add (local.get $b) (local.get $at)))))
        (local.set $at (i32.add (local.get $at) (i32.const 4)))
        (br $next))))

  ;; The number of bits that both have, in $size bytes.
  (func (export "countShared") (param $a i32) (param $b i32) (param $size i32) (result i32)
    (local $at i32) (local $count i32) (local $sums v128)
    (block $vectorsDone
      (loop $nextVector
        (br_if $vectorsDone
          (i32.gt_u (i32.add (local.get $at) (i32.const 16)) (local.get $size)))
        (local.set $sums
          (i32x4.add (local.get $sums)
            (i32x4.extadd_pairwise_i16x8_u
              (i16x8.extadd_pairwise_i8x16_u
                (i8x16.popcnt
                  (v128.and
                    (v128.load align=4 (i32.add (local.get $a) (local.get $at)))
                    (v128.load align=4 (i32.add (local.get $b) (local.get $at)))))))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $nextVector)))
    (local.set $count
      (i32.add
        (i32.add
          (i32x4.extract_lane 0 (local.get $sums)) (i32x4.extract_lane 1 (local.get $sums)))
        (i32.add
          (i32x4.extract_lane 2 (local.get $sums)) (i32x4.extract_lane 3 (local.get $sums)))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $at) (local.get $size)))
        (local.set $count
          (i32.add (local.get $count)
            (i32.popcnt
              (i32.and
                (i32.load (i32.add (local.get $a) (local.get $at)))
                (i32.load (i32.add (local.get $b) (local.get $at)))))))
        (local.set $at (i32.add (local.get $at) (i32.const 4)))
        (br $next)))
    (local.get $count))

  ;; Writes the positions of the set bits of $size bytes to $list, and returns the end of the list.
  (func (export "listBits") (param $bits i32) (param $size i32) (param $list i32) (result i32)
    (local $at i32) (local $word i64) (local $first i32)
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $at) (local.get $size)))
        (local.set $word
          (i64.extend_i32_u (i32.load (i32.add (local.get $bits) (local.get $at)))))
        (local.set $first (i32.shl (local.get $at) (i32.const 3)))
        (block $wordDone
          (loop $nextBit
            (br_if $wordDone (i64.eqz (local.get $word)))
            (i32.store (local.get $list)
              (i32.add (local.get $first) (i32.wrap_i64 (i64.ctz (local.get $word)))))
            (local.set $list (i32.add (local.get $list) (i32.const 4)))
            (local.set $word
              (i64.and (local.get $word) (i64.sub (local.get $word) (i64.const 1))))
            (br $nextBit)))
        (local.set $at (i32.add (local.get $at) (i32.const 4)))
        (br $next)))
    (local.get $list))

  ;; Sets the bits of the $count positions of a list.
  (func (export "addList") (param $list i32) (param $count i32) (param $bits i32)
    (local $end i32) (local $position i32) (local $word i32)
    (local.set $end (i32.add (local.get $list) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $list) (local.get $end)))
        (local.set $position (i32.load (local.get $list)))
        (local.set $word
          (i32.add (local.get $bits)
            (i32.shl (i32.shr_u (local.get $position) (i32.const 5)) (i32.const 2))))
        (i32.store (local.get $word)
          (i32.or (i32.load (local.get $word)) (i32.shl (i32.const 1) (local.get $position))))
        (local.set $list (i32.add (local.get $list) (i32.const 4)))
        (br $next))))

  ;; Writes those of the $count positions of a list whose bit is $wanted to $to, which may be the list, and
  ;; returns the end of $to.
  (func (export "keepList")
    (param $list i32) (param $count i32) (param $bits i32) (param $wanted i32) (param $to i32)
    (result i32)
    (local $end i32) (local $position i32)
    (local.set $end (i32.add (local.get $list) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $list) (local.get $end)))
        (local.set $position (i32.load (local.get $list)))
        (i32.store (local.get $to) (local.get $position))
        (local.set $to
          (i32.add (local.get $to)
            (i32.shl
              (i32.eq (local.get $wanted)
                (i32.and (i32.const 1)
                  (i32.shr_u
                    (i32.load
                      (i32.add (local.get $bits)
                        (i32.shl (i32.shr_u (local.get $position) (i32.const 5)) (i32.const 2))))
                    (local.get $position))))
              (i32.const 2))))
        (local.set $list (i32.add (local.get $list) (i32.const 4)))
        (br $next)))
    (local.get $to))

  ;; The number of the $count positions of a list whose bit is set.
  (func (export "countList") (param $list i32) (param $count i32) (param $bits i32) (result i32)
    (local $end i32) (local $position i32) (local $sum i32)
    (local.set $end (i32.add (local.get $list) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $list) (local.get $end)))
        (local.set $position (i32.load (local.get $list)))
        (local.set $sum
          (i32.add (local.get $sum)
            (i32.and (i32.const 1)
              (i32.shr_u
                (i32.load
                  (i32.add (local.get $bits)
                    (i32.shl (i32.shr_u (local.get $position) (i32.const 5)) (i32.const 2))))
                (local.get $position)))))
        (local.set $list (i32.add (local.get $list) (i32.const 4)))
        (br $next)))
    (local.get $sum))

  ;; Writes the positions that two ascending lists share to $to, which may be the first list, and returns the
  ;; end of $to.
  (func (export "intersectLists")
    (param $a i32) (param $aCount i32) (param $b i32) (param $bCount i32) (param $to i32)
    (result i32)
    (local $aEnd i32) (local $bEnd i32) (local $x i32) (local $y i32)
    (local.set $aEnd (i32.add (local.get $a) (i32.shl (local.get $aCount) (i32.const 2))))
    (local.set $bEnd (i32.add (local.get $b) (i32.shl (local.get $bCount) (i32.const 2))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $a) (local.get $aEnd)))
        (br_if $done (i32.ge_u (local.get $b) (local.get $bEnd)))
        (local.set $x (i32.load (local.get $a)))
        (local.set $y (i32.load (local.get $b)))
        ;; Without branches: which list advances is unpredictable.
        (i32.store (local.get $to) (local.get $x))
        (local.set $to
          (i32.add (local.get $to)
            (i32.shl (i32.eq (local.get $x) (local.get $y)) (i32.const 2))))
        (local.set $a
          (i32.add (local.get $a)
            (i32.shl (i32.le_u (local.get $x) (local.get $y)) (i32.const 2))))
        (local.set $b
          (i32.add (local.get $b)
            (i32.shl (i32.le_u (local.get $y) (local.get $x)) (i32.const 2))))
        (br $next)))
    (local.get $to))

  ;; Writes up to $limit of the $count positions that are stored as gaps and at least $from to $list, and
  ;; returns the end of the list.
  (func (export "listGaps")
    (param $gaps i32) (param $count i32) (param $from i32) (param $limit i32) (param $list i32)
    (result i32)
    (local $position i32) (local $byte i32) (local $distance i32) (local $shift i32) (local $last i32)
    (local.set $position (i32.const -1))
    (local.set $last (i32.add (local.get $list) (i32.shl (local.get $limit) (i32.const 2))))
    (block $done
      (loop $next
        (br_if $done (i32.eqz (local.get $count)))
        (br_if $done (i32.ge_u (local.get $list) (local.get $last)))
        (local.set $byte (i32.load8_u (local.get $gaps)))
        (local.set $gaps (i32.add (local.get $gaps) (i32.const 1)))
        (local.set $distance (i32.and (local.get $byte) (i32.const 0x7f)))
        (local.set $shift (i32.const 7))
        (block $read
          (loop $nextByte
            (br_if $read (i32.le_u (local.get $byte) (i32.const 0x7f)))
            (local.set $byte (i32.load8_u (local.get $gaps)))
            (local.set $gaps (i32.add (local.get $gaps) (i32.const 1)))
            (local.set $distance
              (i32.or (local.get $distance)
                (i32.shl (i32.and (local.get $byte) (i32.const 0x7f)) (local.get $shift))))
            (local.set $shift (i32.add (local.get $shift) (i32.const 7)))
            (br $nextByte)))
        (local.set $position (i32.add (local.get $position) (local.get $distance)))
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (i32.store (local.get $list) (local.get $position))
        (local.set $list
          (i32.add (local.get $list)
            (i32.shl (i32.ge_u (local.get $position) (local.get $from)) (i32.const 2))))
        (br $next)))
    (local.get $list))

  ;; Sets the bits of the $count positions that are stored as gaps.
  (func (export "addGaps") (param $gaps i32) (param $count i32) (param $bits i32)
    (local $position i32) (local $byte i32) (local $distance i32) (local $shift i32) (local $word i32)
    (local.set $position (i32.const -1))
    (block $done
      (loop $next
        (br_if $done (i32.eqz (local.get $count)))
        (local.set $byte (i32.load8_u (local.get $gaps)))
        (local.set $gaps (i32.add (local.get $gaps) (i32.const 1)))
        (local.set $distance (i32.and (local.get $byte) (i32.const 0x7f)))
        (local.set $shift (i32.const 7))
        (block $read
          (loop $nextByte
            (br_if $read (i32.le_u (local.get $byte) (i32.const 0x7f)))
            (local.set $byte (i32.load8_u (local.get $gaps)))
            (local.set $gaps (i32.add (local.get $gaps) (i32.const 1)))
            (local.set $distance
              (i32.or (local.get $distance)
                (i32.shl (i32.and (local.get $byte) (i32.const 0x7f)) (local.get $shift))))
            (local.set $shift (i32.add (local.get $shift) (i32.const 7)))
            (br $nextByte)))
        (local.set $position (i32.add (local.get $position) (local.get $distance)))
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (local.set $word
          (i32.add (local.get $bits)
            (i32.shl (i32.shr_u (local.get $position) (i32.const 5)) (i32.const 2))))
        (i32.store (local.get $word)
          (i32.or (i32.load (local.get $word)) (i32.shl (i32.const 1) (local.get $position))))
        (br $next))))

  ;; Sets the bits of those of $count bytes that equal $value. Bits are written for 32 bytes at a time: beyond
  ;; the last byte they are cleared.
  (func (export "bitsOfBytes") (param $bytes i32) (param $count i32) (param $value i32) (param $bits i32)
    (local $at i32) (local $word i32) (local $wanted v128)
    (local.set $wanted (i8x16.splat (local.get $value)))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $at) (local.get $count)))
        (local.set $word
          (i32.or
            (i8x16.bitmask
              (i8x16.eq (local.get $wanted)
                (v128.load align=1 (i32.add (local.get $bytes) (local.get $at)))))
            (i32.shl
              (i8x16.bitmask
                (i8x16.eq (local.get $wanted)
                  (v128.load offset=16 align=1 (i32.add (local.get $bytes) (local.get $at)))))
              (i32.const 16))))
        (if (i32.gt_u (i32.add (local.get $at) (i32.const 32)) (local.get $count))
          (then
            (local.set $word
              (i32.and (local.get $word)
                (i32.sub
                  (i32.shl (i32.const 1) (i32.sub (local.get $count) (local.get $at)))
                  (i32.const 1))))))
        (i32.store (i32.add (local.get $bits) (i32.shr_u (local.get $at) (i32.const 3)))
          (local.get $word))
        (local.set $at (i32.add (local.get $at) (i32.const 32)))
        (br $next))))

  ;; Adds $more to the counts (a byte for each review) of the positions of a list whose bit is set.
  (func (export "addToCounts")
    (param $list i32) (param $count i32) (param $bits i32) (param $counts i32) (param $more i32)
    (local $end i32) (local $position i32) (local $at i32)
    (local.set $end (i32.add (local.get $list) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $list) (local.get $end)))
        (local.set $position (i32.load (local.get $list)))
        (local.set $at (i32.add (local.get $counts) (local.get $position)))
        (i32.store8 (local.get $at)
          (call $least255
            (i32.add (i32.load8_u (local.get $at))
              (i32.mul (local.get $more)
                (i32.and (i32.const 1)
                  (i32.shr_u
                    (i32.load
                      (i32.add (local.get $bits)
                        (i32.shl (i32.shr_u (local.get $position) (i32.const 5)) (i32.const 2))))
                    (local.get $position)))))))
        (local.set $list (i32.add (local.get $list) (i32.const 4)))
        (br $next))))

  (func $least255 (param $value i32) (result i32)
    (select (local.get $value) (i32.const 255) (i32.lt_u (local.get $value) (i32.const 255))))

  ;; Adds $more to the counts of all positions of a list.
  (func (export "addAllToCounts")
    (param $list i32) (param $count i32) (param $counts i32) (param $more i32)
    (local $end i32) (local $at i32)
    (local.set $end (i32.add (local.get $list) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $list) (local.get $end)))
        (local.set $at (i32.add (local.get $counts) (i32.load (local.get $list))))
        (i32.store8 (local.get $at)
          (call $least255 (i32.add (i32.load8_u (local.get $at)) (local.get $more))))
        (local.set $list (i32.add (local.get $list) (i32.const 4)))
        (br $next))))

  ;; Adds the score of a condition (BM25) to the scores of the positions of a list. $counts has twice the
  ;; number of its occurrences; $norms has a number of 64 bits for each length.
  (func (export "addScores")
    (param $list i32) (param $count i32) (param $counts i32) (param $lengths i32) (param $norms i32)
    (param $weight f64) (param $scale f64) (param $scores i32)
    (local $end i32) (local $position i32) (local $times f64)
    (local.set $end (i32.add (local.get $list) (i32.shl (local.get $count) (i32.const 2))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $list) (local.get $end)))
        (local.set $position (i32.load (local.get $list)))
        (local.set $times
          (f64.div
            (f64.convert_i32_u (i32.load8_u (i32.add (local.get $counts) (local.get $position))))
            (f64.const 2)))
        (f64.store (local.get $scores)
          (f64.add (f64.load (local.get $scores))
            (f64.div
              (f64.mul (f64.mul (local.get $weight) (local.get $times)) (local.get $scale))
              (f64.add (local.get $times)
                (f64.load
                  (i32.add (local.get $norms)
                    (i32.shl
                      (i32.load8_u (i32.add (local.get $lengths) (local.get $position)))
                      (i32.const 3))))))))
        (local.set $scores (i32.add (local.get $scores) (i32.const 8)))
        (local.set $list (i32.add (local.get $list) (i32.const 4)))
        (br $next))))

  ;; Multiplies $count scores and rounds them to integers.
  (func (export "roundScores") (param $scores i32) (param $count i32) (param $unit f64)
    (local $end i32)
    (local.set $end (i32.add (local.get $scores) (i32.shl (local.get $count) (i32.const 3))))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $scores) (local.get $end)))
        (f64.store (local.get $scores)
          (f64.floor
            (f64.add (f64.mul (f64.load (local.get $scores)) (local.get $unit)) (f64.const 0.5))))
        (local.set $scores (i32.add (local.get $scores) (i32.const 8)))
        (br $next))))

  ;; The index of the first of $count scores, from $from on, that exceeds $least; $count if none does.
  (func (export "nextAbove")
    (param $scores i32) (param $from i32) (param $count i32) (param $least f64) (result i32)
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $from) (local.get $count)))
        (br_if $done
          (f64.gt
            (f64.load (i32.add (local.get $scores) (i32.shl (local.get $from) (i32.const 3))))
            (local.get $least)))
        (local.set $from (i32.add (local.get $from) (i32.const 1)))
        (br $next)))
    (local.get $from)))
