; noyes encode --format pddl
; level 7#|#@-$-.#|7#
(define (problem level-7x3)
  (:domain sokoban-pushes)
  (:objects
    up left right down - direction
    r2c2 r2c3 r2c4 r2c5 r2c6 - cell)
  (:init
    (= (total-cost) 0)
    (next r2c2 r2c3 right)
    (next r2c3 r2c2 left) (next r2c3 r2c4 right)
    (next r2c4 r2c3 left) (next r2c4 r2c5 right)
    (next r2c5 r2c4 left) (next r2c5 r2c6 right)
    (next r2c6 r2c5 left)
    (player r2c2)
    (clear r2c2)
    (clear r2c3)
    (box r2c4)
    (clear r2c5)
    (clear r2c6)
  )
  (:goal (and (box r2c6) (clear r2c2) (clear r2c3) (clear r2c4) (clear r2c5)))
  (:metric minimize (total-cost)))
