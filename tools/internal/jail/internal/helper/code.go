package helper

import (
	"errors"
	"strconv"
	"strings"
)

// A plan is passed as one argument, which is a sequence of strings. Each string is preceded by its
// length in bytes. A list is encoded as its length, followed by its entries.

// coder writes or reads the fields of a plan.
type coder interface {
	text(*string)
	number(*int64)
	length(*int)
}

func (p *Plan) fields(c coder) {
	for _, text := range []*string{&p.Root, &p.Dir, &p.Temp, &p.Home, &p.Names} {
		c.text(text)
	}
	for _, all := range []*[]string{&p.Write, &p.Pin, &p.Closed, &p.Links, &p.Protect, &p.Hide, &p.Show, &p.Read} {
		list(c, all, coder.text)
	}
	for _, flag := range []*bool{&p.Offline, &p.Held, &p.Gate, &p.Network, &p.NoMounts, &p.NoLandlock} {
		truth := int64(0)
		if *flag {
			truth = 1
		}
		c.number(&truth)
		*flag = truth == 1
	}
	for _, id := range []*int{&p.User, &p.Group} {
		number := int64(*id)
		c.number(&number)
		*id = int(number)
	}
	for _, filter := range []*[]Instruction{&p.Filter, &p.Handing} {
		list(c, filter, func(c coder, one *Instruction) {
			all := int64(one.Code)<<48 | int64(one.Jt)<<40 | int64(one.Jf)<<32 | int64(one.K)
			c.number(&all)
			*one = Instruction{Code: uint16(all >> 48), Jt: uint8(all >> 40), Jf: uint8(all >> 32), K: uint32(all)}
		})
	}
}

// list encodes or decodes a list, depending on the coder.
func list[T any](c coder, all *[]T, entry func(coder, *T)) {
	length := len(*all)
	c.length(&length)
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
		return Plan{}, errors.New("the arguments of the sandbox's helper process are not complete")
	}
	return p, nil
}

type writer []byte

func (w *writer) text(text *string) {
	*w = append(strconv.AppendInt(*w, int64(len(*text)), 10), ':')
	*w = append(*w, *text...)
}

func (w *writer) number(number *int64) {
	text := strconv.FormatInt(*number, 10)
	w.text(&text)
}

func (w *writer) length(length *int) {
	number := int64(*length)
	w.number(&number)
}

// reader decodes a plan. After an error, it returns only zero values.
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

func (r *reader) number(number *int64) {
	var text string
	r.text(&text)
	value, err := strconv.ParseInt(text, 10, 64)
	if r.broken = r.broken || err != nil; r.broken {
		value = 0
	}
	*number = value
}

// length decodes the length of a list. A length above the number of remaining bytes is an error.
func (r *reader) length(length *int) {
	var number int64
	r.number(&number)
	if r.broken = r.broken || number < 0 || number > int64(len(r.rest)); r.broken {
		number = 0
	}
	*length = int(number)
}
