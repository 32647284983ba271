;; Finds the texts that contain a string; each instruction compares sixteen bytes.
(module
  (import "scan" "memory" (memory 1 65536 shared))

  ;; Reduces a list of positions to those whose texts contain the needle, and returns their number.
  ;; $starts and $ends have the start and end of each text. A start below $split is an address; to others
  ;; $shift is added. $masks has a byte for each of the needle, which is set in the text's byte
  ;; before they are compared: 0x20 ignores the case of an ASCII letter. $first and $second are offsets of
  ;; rare bytes of the needle: where both match, the whole needle is compared.
  (func (export "keepContaining")
    (param $list i32) (param $count i32)
    (param $starts i32) (param $ends i32) (param $split i32) (param $shift i32)
    (param $needle i32) (param $masks i32) (param $length i32)
    (param $first i32) (param $second i32)
    (result i32)
    (local $from i32) (local $listEnd i32) (local $kept i32) (local $start i32)
    (local $at i32) (local $last i32) (local $hits i32) (local $match i32) (local $byte i32)
    (local $place i32)
    (local $firsts v128) (local $seconds v128) (local $firstMasks v128) (local $secondMasks v128)
    (local.set $firsts (v128.load8_splat (i32.add (local.get $needle) (local.get $first))))
    (local.set $seconds (v128.load8_splat (i32.add (local.get $needle) (local.get $second))))
    (local.set $firstMasks (v128.load8_splat (i32.add (local.get $masks) (local.get $first))))
    (local.set $secondMasks (v128.load8_splat (i32.add (local.get $masks) (local.get $second))))
    (local.set $from (local.get $list))
    (local.set $kept (local.get $list))
    (local.set $listEnd (i32.add (local.get $list) (i32.shl (local.get $count) (i32.const 2))))
    (block $allDone
      (loop $nextText
        (br_if $allDone (i32.ge_u (local.get $from) (local.get $listEnd)))
        (local.set $place (i32.shl (i32.load (local.get $from)) (i32.const 2)))
        (local.set $start (i32.load (i32.add (local.get $starts) (local.get $place))))
        (local.set $at
          (i32.add
            (local.get $start)
            (select
              (i32.const 0)
              (local.get $shift)
              (i32.lt_u (local.get $start) (local.get $split)))))
        ;; The end of the text; then the last address where a match can start.
        (local.set $last
          (i32.add
            (local.get $at)
            (i32.sub
              (i32.load (i32.add (local.get $ends) (local.get $place)))
              (local.get $start))))
        (block $textDone
          (br_if $textDone
            (i32.gt_u (local.get $length) (i32.sub (local.get $last) (local.get $at))))
          (local.set $last (i32.sub (local.get $last) (local.get $length)))
          (loop $nextPlaces
            (local.set $hits
              (i8x16.bitmask
                (v128.and
                  (i8x16.eq
                    (local.get $firsts)
                    (v128.or
                      (local.get $firstMasks)
                      (v128.load align=1 (i32.add (local.get $at) (local.get $first)))))
                  (i8x16.eq
                    (local.get $seconds)
                    (v128.or
                      (local.get $secondMasks)
                      (v128.load align=1 (i32.add (local.get $at) (local.get $second))))))))
            (block $noHits
              (loop $nextHit
                (br_if $noHits (i32.eqz (local.get $hits)))
                (local.set $match (i32.add (local.get $at) (i32.ctz (local.get $hits))))
                (br_if $textDone (i32.gt_u (local.get $match) (local.get $last)))
                (local.set $hits
                  (i32.and (local.get $hits) (i32.sub (local.get $hits) (i32.const 1))))
                (local.set $byte (i32.const 0))
                (loop $nextByte
                  (br_if $nextHit
                    (i32.ne
                      (i32.or
                        (i32.load8_u (i32.add (local.get $match) (local.get $byte)))
                        (i32.load8_u (i32.add (local.get $masks) (local.get $byte))))
                      (i32.load8_u (i32.add (local.get $needle) (local.get $byte)))))
                  (local.set $byte (i32.add (local.get $byte) (i32.const 1)))
                  (br_if $nextByte (i32.lt_u (local.get $byte) (local.get $length))))
                (i32.store (local.get $kept) (i32.load (local.get $from)))
                (local.set $kept (i32.add (local.get $kept) (i32.const 4)))
                (br $textDone)))
            (local.set $at (i32.add (local.get $at) (i32.const 16)))
            (br_if $nextPlaces (i32.le_u (local.get $at) (local.get $last)))))
        (local.set $from (i32.add (local.get $from) (i32.const 4)))
        (br $nextText)))
    (i32.shr_u (i32.sub (local.get $kept) (local.get $list)) (i32.const 2))))
