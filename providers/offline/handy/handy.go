// Package handy answers requests that need no tool: coins, dice, random numbers, passwords, codes
// and colors.
package handy

import (
	"cmp"
	"crypto/md5"
	"crypto/rand"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"math/big"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Words contains the values in a request.
type Words struct {
	Text      string
	Low, High int
	Count     int
}

// arts is the table of the functions that phrases call by name.
var arts = map[string]func(Words) (string, bool){
	"coin":     func(Words) (string, bool) { return [...]string{"heads", "tails"}[randomBelow(2)], true },
	"dice":     dice,
	"number":   number,
	"pick":     pick,
	"uuid":     func(Words) (string, bool) { return uuid(), true },
	"password": password,
	"base64":   func(w Words) (string, bool) { return base64.StdEncoding.EncodeToString([]byte(w.Text)), w.Text != "" },
	"unbase64": unbase64,
	"urlcode":  func(w Words) (string, bool) { return url.QueryEscape(w.Text), w.Text != "" },
	"sha256":   func(w Words) (string, bool) { return fmt.Sprintf("%x", sha256.Sum256([]byte(w.Text))), w.Text != "" },
	"sha1":     func(w Words) (string, bool) { return fmt.Sprintf("%x", sha1.Sum([]byte(w.Text))), w.Text != "" },
	"md5":      func(w Words) (string, bool) { return fmt.Sprintf("%x", md5.Sum([]byte(w.Text))), w.Text != "" },
	"upper":    func(w Words) (string, bool) { return strings.ToUpper(w.Text), w.Text != "" },
	"lower":    func(w Words) (string, bool) { return strings.ToLower(w.Text), w.Text != "" },
	"backward": backward,
	"letters":  func(w Words) (string, bool) { return strconv.Itoa(utf8.RuneCountInString(w.Text)), w.Text != "" },
	"words":    func(w Words) (string, bool) { return strconv.Itoa(len(strings.Fields(w.Text))), w.Text != "" },
	"colour":   colour,
	"binary":   func(w Words) (string, bool) { return strconv.FormatInt(int64(w.Low), 2), w.Low >= 0 },
	"hex":      func(w Words) (string, bool) { return strconv.FormatInt(int64(w.Low), 16), w.Low >= 0 },
}

// CallFunction calls the named function to answer a request. known is false if there is no such
// function, and done is false if the function cannot use the request's values.
func CallFunction(name string, words Words) (said string, done, known bool) {
	art := arts[name]
	if art == nil {
		return "", false, false
	}
	said, done = art(words)
	return said, done, true
}

func randomBelow(n int) int {
	value, err := rand.Int(rand.Reader, big.NewInt(int64(n)))
	if err != nil {
		return 0 // never happens
	}
	return int(value.Int64())
}

func dice(w Words) (string, bool) {
	const most = 20
	count, sides := max(w.Count, 1), w.High
	sides = cmp.Or(sides, 6)
	if count > most || sides < 2 || sides > 1000 {
		return "", false
	}
	var rolls []string
	sum := 0
	for range count {
		roll := 1 + randomBelow(sides)
		sum += roll
		rolls = append(rolls, strconv.Itoa(roll))
	}
	if count == 1 {
		return rolls[0], true
	}
	return fmt.Sprintf("%s = %d", strings.Join(rolls, " + "), sum), true
}

func number(w Words) (string, bool) {
	low, high := w.Low, w.High
	if low == 0 && high == 0 {
		low, high = 1, 100
	}
	if low > high {
		low, high = high, low
	}
	return strconv.Itoa(low + randomBelow(high-low+1)), high-low < 1<<40
}

// pick returns a random choice from a list such as "tea, coffee or water".
func pick(w Words) (string, bool) {
	var list []string
	for part := range strings.SplitSeq(strings.NewReplacer(" or ", ",", " oder ", ",", " ou ", ",", " and ", ",", " und ", ",", " et ", ",").Replace(w.Text), ",") {
		if part = strings.TrimSpace(part); part != "" {
			list = append(list, part)
		}
	}
	if len(list) < 2 {
		return "", false
	}
	return list[randomBelow(len(list))], true
}

func uuid() string {
	var id [16]byte
	_, _ = rand.Read(id[:]) // never fails
	id[6], id[8] = id[6]&0x0f|0x40, id[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}

func password(w Words) (string, bool) {
	const letters = "abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789!#%+-_=?"
	length := cmp.Or(w.Count, 16)
	if length < 6 || length > 128 {
		return "", false
	}
	var text strings.Builder
	for range length {
		text.WriteByte(letters[randomBelow(len(letters))])
	}
	return text.String(), true
}

func unbase64(w Words) (string, bool) {
	decoded, err := base64.StdEncoding.DecodeString(w.Text)
	return strings.ToValidUTF8(string(decoded), "�"), err == nil && len(decoded) > 0
}

func backward(w Words) (string, bool) {
	runes := []rune(w.Text)
	slices.Reverse(runes)
	return string(runes), len(runes) > 0
}

// colour converts a hexadecimal color to the form "rgb(255, 136, 0)".
func colour(w Words) (string, bool) {
	digits := strings.TrimPrefix(w.Text, "#")
	if len(digits) == 3 {
		digits = string([]byte{digits[0], digits[0], digits[1], digits[1], digits[2], digits[2]})
	}
	parts, err := hex.DecodeString(digits)
	if err != nil || len(parts) != 3 {
		return "", false
	}
	return fmt.Sprintf("rgb(%d, %d, %d)", parts[0], parts[1], parts[2]), true
}
