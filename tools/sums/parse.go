package sums

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"strings"
)

// parser is a recursive-descent parser for this grammar:
//
//	sum     = product { ("+" | "-") product }
//	product = sign { ("*" | "/" | "mod" | "of") sign }
//	sign    = ["-" | "+"] power
//	power   = atom ["^" sign]
//	atom    = (number | constant | function atom | "(" sum { "," sum } ")") { "!" | "%" }
type parser struct {
	tokens []string
	at     int
	depth  int
}

// deepest is the maximum depth of nested parentheses, powers and function calls.
const deepest = 100

func (p *parser) peek() string {
	if p.at < len(p.tokens) {
		return p.tokens[p.at]
	}
	return ""
}

func (p *parser) take(token string) bool {
	if p.peek() != token {
		return false
	}
	p.at++
	return true
}

func (p *parser) sum() (value, error) {
	if p.depth++; p.depth > deepest {
		return value{}, errors.New("it is nested too deeply")
	}
	defer func() { p.depth-- }()
	total, err := p.product()
	for err == nil {
		var other value
		operator := p.peek()
		if operator != "+" && operator != "-" {
			break
		}
		p.at++
		if other, err = p.product(); err != nil {
			break
		}
		if other.percent { // 80 + 15% is 92, as on a calculator
			other = multiply(total, other)
		}
		if operator == "-" {
			other.Neg(&other.Rat)
		}
		total, err = checked(add(total, other))
	}
	return total, err
}

func (p *parser) product() (value, error) {
	total, err := p.sign()
	for err == nil {
		var other value
		operator := p.peek()
		switch operator {
		case "*", "of", "/", "mod":
			p.at++
		case "(": // 2(3+4)
			operator = "*"
		default:
			return total, nil
		}
		if other, err = p.sign(); err != nil {
			break
		}
		switch operator {
		case "/":
			total, err = divide(total, other)
		case "mod":
			total, err = modulo(total, other)
		default:
			total, err = checked(multiply(total, other))
		}
	}
	return total, err
}

func (p *parser) sign() (value, error) {
	minus := false
	for p.peek() == "-" || p.peek() == "+" {
		minus = minus != (p.peek() == "-")
		p.at++
	}
	result, err := p.power()
	if minus {
		result.Neg(&result.Rat)
	}
	return result, err
}

func (p *parser) power() (value, error) {
	base, err := p.atom()
	if err != nil || !p.take("^") {
		return base, err
	}
	if p.depth++; p.depth > deepest {
		return value{}, errors.New("it is nested too deeply")
	}
	defer func() { p.depth-- }()
	exponent, err := p.sign()
	if err != nil {
		return value{}, err
	}
	return raise(base, exponent)
}

func (p *parser) atom() (value, error) {
	token := p.peek()
	if token == "" {
		return value{}, errors.New("it ends too early")
	}
	p.at++
	var result value
	var err error
	if constant, ok := map[string]float64{"pi": math.Pi, "π": math.Pi, "e": math.E}[token]; ok {
		result, err = rough(constant)
	} else if function, ok := functions()[token]; ok {
		result, err = p.call(token, function)
	} else if token == "(" {
		if result, err = p.sum(); err == nil && !p.take(")") {
			err = errors.New("a parenthesis is not closed")
		}
		result.percent = false
	} else if _, ok := result.SetString(token); !ok || !strings.ContainsAny(token[:1], "0123456789.") {
		return value{}, fmt.Errorf("%q is not a number", token)
	} else {
		result, err = checked(result)
	}
	for err == nil {
		switch {
		case p.take("!"):
			result, err = factorial(result)
		case p.take("%"):
			result.Quo(&result.Rat, big.NewRat(100, 1))
			result.percent = true
		default:
			return result, nil
		}
	}
	return value{}, err
}

// call applies a function to the arguments that follow its name in the input. A single argument
// needs no parentheses: "sqrt 2".
func (p *parser) call(name string, function function) (value, error) {
	var list []value
	if !p.take("(") {
		if p.depth++; p.depth > deepest {
			return value{}, errors.New("it is nested too deeply")
		}
		defer func() { p.depth-- }()
		one, err := p.power()
		if err != nil {
			return value{}, err
		}
		return function(name, []value{one})
	}
	for {
		one, err := p.sum()
		if err != nil {
			return value{}, err
		}
		list = append(list, one)
		if p.take(")") {
			return function(name, list)
		}
		if !p.take(",") {
			return value{}, errors.New("a parenthesis is not closed")
		}
	}
}
