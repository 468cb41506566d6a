package when

import (
	"strconv"
	"strings"
)

// tape is the tokens and how far they are read. The methods that read something say
// whether it was there, and stay where they were if it was not.
type tape struct {
	tokens []token
	at     int
	exact  bool // a T between day and time, or seconds: a program wrote it, so -05:00 is a zone
}

// ahead is the token n places on, or none.
func (r *tape) ahead(n int) token {
	if r.at+n < 0 || r.at+n >= len(r.tokens) {
		return token{kind: sign}
	}
	return r.tokens[r.at+n]
}

func (r *tape) done() bool { return r.at >= len(r.tokens) }

// word is the word n places on, "" if something else is there.
func (r *tape) word(n int) string {
	if next := r.ahead(n); next.kind == word {
		return next.text
	}
	return ""
}

// is says whether these words and signs come next.
func (r *tape) is(texts ...string) bool {
	for n, text := range texts {
		if r.ahead(n).text != text {
			return false
		}
	}
	return true
}

// take passes over these words and signs, if they come next.
func (r *tape) take(texts ...string) bool {
	if !r.is(texts...) {
		return false
	}
	r.at += len(texts)
	return true
}

// takeAny passes over one of the words.
func (r *tape) takeAny(texts ...string) bool {
	for _, text := range texts {
		if r.take(text) {
			return true
		}
	}
	return false
}

// digits is the number n places on, written with at most so many digits; -1 if none is.
func (r *tape) digits(n, most int) int {
	next := r.ahead(n)
	if next.kind != digits || len(next.text) > most {
		return -1
	}
	value, _ := strconv.Atoi(next.text) // at most nine digits, which it takes
	return value
}

// sign says whether a sign is glued to what stands n-1 places on, and to what follows.
func (r *tape) sign(n int, text string) bool {
	return r.ahead(n).text == text && r.ahead(n).glued && r.ahead(n+1).glued
}

// written is what some tokens look like.
func (r *tape) written(from, to int) string {
	var text strings.Builder
	for i := from; i < to; i++ {
		if i > from && !r.tokens[i].glued {
			text.WriteByte(' ')
		}
		text.WriteString(r.tokens[i].text)
	}
	return text.String()
}
