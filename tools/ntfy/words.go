package ntfy

import (
	"bytes"
	"crypto/rand"
	"math/big"
	"os"
	"strings"
)

// dictionary is the usual path of the list of English words on Unix systems.
const dictionary = "/usr/share/dict/words"

// minWords is the minimum number of words in a usable dictionary. With five random words, there are
// at least 2000⁵ (about 2⁵⁴) possible topic names. Each guess takes a request to a server that
// limits the request rate.
const minWords = 2000

func newTopic() string {
	known := dictionaryWords(dictionary)
	words := make([]string, 5)
	for i := range words {
		if len(known) >= minWords {
			words[i] = known[randomBelow(len(known))]
		} else {
			words[i] = inventWord()
		}
	}
	return strings.Join(words, "-")
}

// dictionaryWords reads a file with one word per line. It returns the words of 3 to 8 lower-case
// letters, or nil if the file cannot be read.
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

// inventWord returns a random word of three syllables. There are 80³ such words, and more than 2⁹⁴
// topic names of five words.
func inventWord() string {
	const consonants, vowels = "bdfghjklmnprstvz", "aeiou"
	var word strings.Builder
	for range 3 {
		word.WriteByte(consonants[randomBelow(len(consonants))])
		word.WriteByte(vowels[randomBelow(len(vowels))])
	}
	return word.String()
}

func randomBelow(n int) int {
	number, err := rand.Int(rand.Reader, big.NewInt(int64(n)))
	if err != nil {
		panic(err) // crypto/rand never fails
	}
	return int(number.Int64())
}
