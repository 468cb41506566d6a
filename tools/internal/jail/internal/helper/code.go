package helper

import (
	"errors"
	"strconv"
	"strings"
)

// A plan is passed as one argument: a sequence of strings, each after its length. A list is its
// length followed by its strings.

// coder writes or reads the fields of a plan.
type coder interface {
	text(*string)
	number(*int)
}

// fields passes all fields of the plan to the coder, in order.
func (p *Plan) fields(c coder) {
	for _, text := range []*string{&p.Root, &p.Dir, &p.Temp, &p.Home, &p.Names} {
		c.text(text)
	}
	for _, all := range []*[]string{&p.Write, &p.Pin, &p.Closed, &p.Links, &p.Protect, &p.Hide, &p.Show, &p.Read} {
		list(c, all, coder.text)
	}
	for _, flag := range []*bool{&p.Offline, &p.Held, &p.Gate, &p.Network, &p.NoMounts, &p.NoLandlock} {
		truth := 0
		if *flag {
			truth = 1
		}
		c.number(&truth)
		*flag = truth == 1
	}
	c.number(&p.User)
	c.number(&p.Group)
	for _, filter := range []*[]Instruction{&p.Filter, &p.Handing} {
		list(c, filter, func(c coder, one *Instruction) {
			all := int(one.Code)<<48 | int(one.Jt)<<40 | int(one.Jf)<<32 | int(one.K)
			c.number(&all)
			*one = Instruction{Code: uint16(all >> 48), Jt: uint8(all >> 40), Jf: uint8(all >> 32), K: uint32(all)}
		})
	}
}

// list passes the length of a list, and each entry.
func list[T any](c coder, all *[]T, entry func(coder, *T)) {
	length := len(*all)
	c.number(&length)
	for i := range length {
		if i == len(*all) {
			*all = append(*all, *new(T))
		}
		entry(c, &(*all)[i])
	}
}

func (p *Plan) encode() string {
	var w writer
	p.fields(&w)
	return string(w)
}

// Decode parses the text that [Plan.Arguments] encoded.
func Decode(encoded string) (p Plan, err error) {
	r := reader{rest: encoded}
	p.fields(&r)
	if r.broken || r.rest != "" {
		return Plan{}, errors.New("the plan is not complete")
	}
	return p, nil
}

type writer []byte

func (w *writer) text(text *string) {
	*w = append(strconv.AppendInt(*w, int64(len(*text)), 10), ':')
	*w = append(*w, *text...)
}

func (w *writer) number(number *int) {
	text := strconv.Itoa(*number)
	w.text(&text)
}

// reader parses an encoded plan. After an error it returns only empty strings, so that every list
// ends.
type reader struct {
	rest   string
	broken bool
}

func (r *reader) text(text *string) {
	before, after, _ := strings.Cut(r.rest, ":")
	length, err := strconv.Atoi(before)
	if r.broken = r.broken || err != nil || length < 0 || length > len(after); r.broken {
		*text = ""
		return
	}
	*text, r.rest = after[:length], after[length:]
}

func (r *reader) number(number *int) {
	var text string
	r.text(&text)
	value, err := strconv.Atoi(text)
	if r.broken = r.broken || err != nil || value > 1<<62; r.broken {
		value = 0
	}
	*number = value
}
