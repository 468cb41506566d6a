package ntfy

import (
	"bytes"
	"crypto/rand"
	"math/big"
	"os"
	"strings"
)

// dictionary is where Unix keeps English words.
const dictionary = "/usr/share/dict/words"

// enough is from how many words on five of them are a secret: 2000⁵ is 2⁵⁴, and a
// guess is a request to a server that limits those.
const enough = 2000

// newTopic is five random words.
func newTopic() string {
	known := dictionaryWords(dictionary)
	words := make([]string, 5)
	for i := range words {
		if len(known) >= enough {
			words[i] = known[below(len(known))]
		} else {
			words[i] = invented()
		}
	}
	return strings.Join(words, "-")
}

// dictionaryWords are the short plain words of a file; none if it is not there.
func dictionaryWords(path string) []string {
	content, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	var words []string
	for line := range bytes.Lines(content) {
		word := bytes.TrimSpace(line)
		plain := len(word) >= 3 && len(word) <= 8
		for _, letter := range word {
			plain = plain && letter >= 'a' && letter <= 'z'
		}
		if plain {
			words = append(words, string(word))
		}
	}
	return words
}

// invented is a word of three syllables: 80³ of them, five make 2⁹⁴.
func invented() string {
	const consonants, vowels = "bdfghjklmnprstvz", "aeiou"
	var word strings.Builder
	for range 3 {
		word.WriteByte(consonants[below(len(consonants))])
		word.WriteByte(vowels[below(len(vowels))])
	}
	return word.String()
}

func below(n int) int {
	number, err := rand.Int(rand.Reader, big.NewInt(int64(n)))
	if err != nil {
		panic(err) // crypto/rand never fails
	}
	return int(number.Int64())
}
