package when

import (
	"slices"
	"strconv"
	"strings"
)

// tape holds the tokens of the text and the reading position. If a method of tape fails to read
// something, the position does not change.
type tape struct {
	tokens []token
	at     int
	// exact is true if the time has seconds or a preceding "T". A program probably wrote this format,
	// so "-05:00" is a UTC offset and not the end of a range.
	exact bool
}

// ahead returns the token that is n places ahead, or an empty token.
func (r *tape) ahead(n int) token {
	if r.at+n < 0 || r.at+n >= len(r.tokens) {
		return token{kind: sign}
	}
	return r.tokens[r.at+n]
}

func (r *tape) done() bool { return r.at >= len(r.tokens) }

// word returns the word that is n places ahead, or "" for another kind of token.
func (r *tape) word(n int) string {
	if next := r.ahead(n); next.kind == word {
		return next.text
	}
	return ""
}

func (r *tape) is(texts ...string) bool {
	for n, text := range texts {
		if r.ahead(n).text != text {
			return false
		}
	}
	return true
}

// take skips the next tokens if they match the given strings, and reports whether it did.
func (r *tape) take(texts ...string) bool {
	if !r.is(texts...) {
		return false
	}
	r.at += len(texts)
	return true
}

// takeAny skips the next word if it is one of the given words.
func (r *tape) takeAny(texts ...string) bool {
	return slices.ContainsFunc(texts, func(text string) bool { return r.take(text) })
}

// digits returns the value of the token that is n places ahead. It returns -1 if the token is not a
// number or has too many digits.
func (r *tape) digits(n, limit int) int {
	next := r.ahead(n)
	if next.kind != digits || len(next.text) > limit {
		return -1
	}
	value, _ := strconv.Atoi(next.text) // cannot fail for at most 9 digits
	return value
}

// sign returns true if r.ahead(n) has the given text, and no white space separates it from either
// neighboring token.
func (r *tape) sign(n int, text string) bool {
	return r.ahead(n).text == text && r.ahead(n).glued && r.ahead(n+1).glued
}

// written concatenates r.tokens[from:to], with a space before each token that is not glued.
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
