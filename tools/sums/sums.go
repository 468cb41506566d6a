package sums

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"strings"

	"marvin/tools"
)

// Tools returns the tools of this category.
func Tools() []tools.Tool { return []tools.Tool{calculateTool()} }

type calculateArgs struct {
	Expression string `json:"expression" doc:"+ - * / ^ % ( ), sqrt, sin (radians), log, ln, abs, round, min, max, pi, e, 15% of 80, 5!" alias:"sum,formula" example:"(3+4)*2"`
}

func calculateTool() tools.Tool {
	return tools.New(tools.Def[calculateArgs]{
		Name:     "calculate",
		Doc:      "Calculate exactly: arithmetic, percent, powers, roots.",
		Examples: []string{"calculate {(3+4)*2|expression}", "what is {17 * 23|expression}", "how much is {15% of 80|expression}"},
		Chat:     true,
		Run: func(_ context.Context, _ tools.Env, in calculateArgs) (tools.Output, error) {
			result, err := evaluate(in.Expression)
			if err != nil {
				return tools.Output{}, tools.Advise(err, `Write it with numbers and signs, such as (3+4)*2, 15%% of 80 or sqrt(2).`)
			}
			return tools.Output{Text: result}, nil
		},
	})
}

// longest is the maximum length of an expression in bytes.
const longest = 1000

// evaluate returns text such as "= 42" or "≈ 0.333333333333".
func evaluate(expression string) (string, error) {
	if len(expression) > longest {
		return "", fmt.Errorf("the expression is longer than %d characters", longest)
	}
	p := &parser{tokens: scan(expression)}
	if len(p.tokens) == 0 {
		return "", errors.New("there is nothing to calculate")
	}
	value, err := p.sum()
	if err == nil && p.at < len(p.tokens) {
		err = fmt.Errorf("%q was not expected", p.tokens[p.at])
	}
	if err != nil {
		return "", err
	}
	return written(value), nil
}

// shownDigits is the number of significant digits shown for a fraction.
const shownDigits = 12

func written(value value) string {
	sign := "="
	if value.rough {
		sign = "≈"
	}
	if value.IsInt() {
		if text := value.Num().String(); len(text) <= 60 && !value.rough || len(text) <= 15 {
			return sign + " " + text
		}
	}
	text := new(big.Float).SetPrec(256).SetRat(&value.Rat).Text('g', shownDigits)
	if exact, ok := new(big.Rat).SetString(text); !ok || exact.Cmp(&value.Rat) != 0 {
		sign = "≈"
	}
	if plain, ok := decimal(text); ok {
		text = plain
	}
	return sign + " " + text
}

// decimal converts a number from scientific to decimal notation if the result is short enough to
// read: 1.5e-05 becomes 0.000015.
func decimal(text string) (string, bool) {
	if !strings.Contains(text, "e") {
		return text, true
	}
	value, _, err := big.ParseFloat(text, 10, 256, big.ToNearestEven)
	if err != nil {
		return "", false
	}
	if exponent := value.MantExp(nil); exponent < -30 || exponent > 60 {
		return "", false
	}
	return strings.TrimRight(strings.TrimRight(value.Text('f', 20), "0"), "."), true
}
