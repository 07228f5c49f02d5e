; noyes encode --format pddl
; puzzle 1 2/0 3
; goal 1 2/3 0
(define (problem tiles-2x2)
  (:domain sliding-tiles)
  (:objects
    t1 t2 t3 - tile
    r1c1 r1c2 r2c1 r2c2 - cell)
  (:init
    (beside r1c1 r1c2) (beside r1c1 r2c1)
    (beside r1c2 r1c1) (beside r1c2 r2c2)
    (beside r2c1 r1c1) (beside r2c1 r2c2)
    (beside r2c2 r1c2) (beside r2c2 r2c1)
    (at t1 r1c1)
    (at t2 r1c2)
    (blank r2c1)
    (at t3 r2c2)
  )
  (:goal (and
    (at t1 r1c1)
    (at t2 r1c2)
    (at t3 r2c1)
  )))
