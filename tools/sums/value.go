package sums

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"sync"
)

// value is a number. The number is inexact if rough is true, and was written with a percent sign if
// percent is true.
type value struct {
	big.Rat
	rough, percent bool
}

var errTooLarge = errors.New("the numbers become too large")

// largest is the maximum length of a numerator or denominator, in bits. The value corresponds to
// 1,200 decimal digits.
const largest = 4000

func checked(v value) (value, error) {
	if v.Num().BitLen() > largest || v.Denom().BitLen() > largest {
		return value{}, errTooLarge
	}
	return v, nil
}

func rough(number float64) (value, error) {
	v := value{rough: true}
	if math.IsNaN(number) {
		return v, errors.New("the result is not a real number")
	}
	if math.IsInf(number, 0) {
		return v, errTooLarge
	}
	v.SetFloat64(number)
	if whole := math.Round(number); whole != 0 && math.Abs(number-whole) < 1e-12*math.Abs(whole) {
		v.SetFloat64(whole) // floating point gives 2.9999999999999996 for log(1000)
	}
	return v, nil
}

func add(a, b value) value {
	sum := value{rough: a.rough || b.rough}
	sum.Add(&a.Rat, &b.Rat)
	return sum
}

func multiply(a, b value) value {
	product := value{rough: a.rough || b.rough}
	product.Mul(&a.Rat, &b.Rat)
	return product
}

func divide(a, b value) (value, error) {
	if b.Sign() == 0 {
		return value{}, errors.New("division by 0 is not possible")
	}
	quotient := value{rough: a.rough || b.rough}
	quotient.Quo(&a.Rat, &b.Rat)
	return checked(quotient)
}

func modulo(a, b value) (value, error) {
	if !a.IsInt() || !b.IsInt() || b.Sign() == 0 {
		return value{}, errors.New("\"mod\" needs whole numbers, and cannot divide by 0")
	}
	rest := value{rough: a.rough || b.rough}
	rest.SetInt(new(big.Int).Mod(a.Num(), b.Num()))
	return rest, nil
}

// raise returns base^exponent. The result is exact if the exponent is an integer that fits into an
// int64.
func raise(base, exponent value) (value, error) {
	if !exponent.IsInt() || !exponent.Num().IsInt64() {
		b, _ := base.Float64()
		e, _ := exponent.Float64()
		return rough(math.Pow(b, e))
	}
	n := exponent.Num().Int64()
	size := int64(max(base.Num().BitLen(), base.Denom().BitLen()))
	if n > largest || n < -largest || size > 1 && max(n, -n)*(size-1) > largest {
		return value{}, errTooLarge
	}
	if base.Sign() == 0 && n < 0 {
		return value{}, errors.New("division by 0 is not possible")
	}
	over, under := new(big.Int).Exp(base.Num(), big.NewInt(max(n, -n)), nil), new(big.Int).Exp(base.Denom(), big.NewInt(max(n, -n)), nil)
	if n < 0 {
		over, under = under, over
	}
	power := value{rough: base.rough || exponent.rough}
	power.SetFrac(over, under)
	return power, nil
}

func factorial(v value) (value, error) {
	if !v.IsInt() || v.Sign() < 0 {
		return value{}, errors.New("a factorial needs a whole number of at least 0")
	}
	if !v.Num().IsInt64() || v.Num().Int64() > 400 {
		return value{}, errTooLarge
	}
	product := value{rough: v.rough}
	product.SetInt(new(big.Int).MulRange(1, v.Num().Int64()))
	return product, nil
}

// A function computes a value from at least one argument.
type function func(name string, list []value) (value, error)

var functions = sync.OnceValue(func() map[string]function {
	table := map[string]function{"sqrt": root, "min": minimum, "max": minimum, "round": rounded, "abs": absolute}
	for name, of := range map[string]func(float64) float64{
		"sin": math.Sin, "cos": math.Cos, "tan": math.Tan, "asin": math.Asin, "acos": math.Acos, "atan": math.Atan,
		"ln": math.Log, "log": math.Log10, "log2": math.Log2, "exp": math.Exp, "cbrt": math.Cbrt, "floor": math.Floor, "ceil": math.Ceil,
	} {
		table[name] = func(name string, list []value) (value, error) {
			if len(list) != 1 {
				return value{}, fmt.Errorf("%s takes one number", name)
			}
			number, _ := list[0].Float64()
			result, err := rough(of(number))
			result.rough = name != "floor" && name != "ceil" || list[0].rough
			return result, err
		}
	}
	return table
})

func root(_ string, list []value) (value, error) {
	if len(list) != 1 || list[0].Sign() < 0 {
		return value{}, errors.New("sqrt takes one number that is not negative")
	}
	over, under := new(big.Int).Sqrt(list[0].Num()), new(big.Int).Sqrt(list[0].Denom())
	exact := value{rough: list[0].rough}
	exact.SetFrac(over, under)
	if square := multiply(exact, exact); square.Cmp(&list[0].Rat) == 0 {
		return exact, nil
	}
	number, _ := list[0].Float64()
	return rough(math.Sqrt(number))
}

func minimum(name string, list []value) (value, error) {
	compare := func(a, b value) int { return a.Cmp(&b.Rat) }
	if name == "max" {
		return slices.MaxFunc(list, compare), nil
	}
	return slices.MinFunc(list, compare), nil
}

// rounded implements "round", with an optional number of decimals. A number halfway between two
// results is rounded away from zero.
func rounded(_ string, list []value) (value, error) {
	decimals := 0
	if len(list) == 2 && list[1].IsInt() && list[1].Num().IsInt64() && list[1].Sign() >= 0 {
		decimals = int(min(list[1].Num().Int64(), 100))
	} else if len(list) != 1 {
		return value{}, errors.New("\"round\" takes a number and the number of decimals to keep, 0 or more")
	}
	result := value{rough: list[0].rough}
	result.SetString(list[0].FloatString(decimals))
	return result, nil
}

func absolute(_ string, list []value) (value, error) {
	if len(list) != 1 {
		return value{}, errors.New("abs takes one number")
	}
	result := value{rough: list[0].rough}
	result.Abs(&list[0].Rat)
	return result, nil
}
