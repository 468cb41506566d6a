package memory

import (
	"math"
	"regexp"
	"strings"
	"sync"
	"unicode"
)

var (
	keyShapes = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`BEGIN [A-Z ]*PRIVATE KEY|\b(?:sk|pk|rk)[-_](?:[a-z]+[-_])*[A-Za-z0-9_-]{12,}|\bgh[pousr]_[A-Za-z0-9]{16,}|\bgithub_pat_\w{16,}|\bglpat-[\w-]{12,}|\bxox[a-z]-[\w-]{8,}|\b(?:AKIA|ASIA)[A-Z0-9]{12,}|\bAIza[\w-]{20,}|\bya29\.[\w-]{10,}|\beyJ[\w-]{8,}\.[\w-]{8,}|\bnpm_\w{16,}|\bhf_\w{16,}|\bgsk_\w{16,}|\bSG\.[\w-]{10,}|://[^\s/:@]+:[^\s/@]+@|\bage-secret-key-`)
	})
	passwords = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)(?:^|[^\pL])(p[a@]ss[ -]?w[o0]rds?|pass[ -]?phrase|pass[ -]?code|pwd?|pin(?: code| number)?|cvc|cvv|login code|recovery codes?|seed phrase|(?:secret|private|api|access|auth|ssh|license)[ _-]?(?:key|token)s?|token|secret|passwort|kennwort|geheimzahl|schlüssel|mot de passe|code pin|jeton)(?:\s+(?:(?:for|of|to|on|at|für|von|zum|zur|pour|de|du)\s+)(?:[^\s:=]+\s+){0,4}?[^\s:=]+)?\s*(?:is|are|was|=|:|ist|lautet|est)\s*(?:now\s+)?(\S+)`)
	})
	// codes returns a pattern for phrases such as "door code 1234" and "the PIN is 1234".
	codes = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)(?:^|[^\pL])(?:(?:recovery|backup|login|door|gate|alarm|safe|unlock|security|pin|2fa)[ -]?(?:codes?|pin|number)|pin|ssn|social security(?: number)?)\b(?:\s+(?:of|for|to)(?:\s+\S+){1,3}?)?(?:\s+(?:is|are|was|number))?[\s:#=]*\d[\d-]{3,}|\bbearer\s+[\w.~+/-]{16,}`)
	})
	cards = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\b(?:\d[ -]?){13,19}\b`) })
)

// nonSecretWords contains words that can follow "the password is" and are not the password.
var nonSecretWords = wordSet("in at on stored kept saved managed read found the a an not from with by under behind required wrong old never always needed optional im in der die das gespeichert dans stocké handled rotated short long called")

// secret examines a text for secrets. It returns a phrase such as "what looks like a password or a
// key", or "" if it finds no secret.
func secret(text string) string {
	text = plainLetters(text)
	if keyShapes().MatchString(text) {
		return "what looks like a key or a token"
	}
	for _, found := range passwords().FindAllStringSubmatch(text, -1) {
		if value := strings.Trim(strings.ToLower(found[2]), ".,;!?"); value != "" && !nonSecretWords[value] {
			return "what looks like a password or a key"
		}
	}
	if codes().MatchString(text) {
		return "what looks like a code or a personal number"
	}
	for _, number := range cards().FindAllString(text, -1) {
		if luhn(number) {
			return "something that looks like a card number"
		}
	}
	for word := range strings.FieldsSeq(text) {
		if looksRandom(strings.Trim(word, "\"'`().,;:!?<>[]{}")) {
			return "what looks like a key or a token"
		}
	}
	return ""
}

// plainLetters removes invisible characters and converts full-width characters to ordinary ones.
func plainLetters(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.Is(unicode.Cf, r):
			return -1
		case r >= '！' && r <= '～':
			return r - '！' + '!'
		}
		return r
	}, text)
}

// luhn reports whether the check digit of a card number is correct.
func luhn(number string) bool {
	sum, double := 0, false
	for i := len(number) - 1; i >= 0; i-- {
		digit := int(number[i] - '0')
		if digit < 0 || digit > 9 {
			continue
		}
		if double {
			digit = digit*2%10 + digit*2/10
		}
		sum, double = sum+digit, !double
	}
	return sum%10 == 0
}

// looksRandom reports whether a word looks randomly generated. It returns false for paths,
// addresses and commit hashes.
func looksRandom(word string) bool {
	if len(word) < 20 || strings.ContainsAny(word, "/\\@") || strings.Contains(word, "..") {
		return false
	}
	changes, digits, capitals, hex := 0, 0, 0, true
	var before rune
	counts := map[rune]float64{}
	for _, r := range word {
		counts[r]++
		if unicode.IsDigit(r) {
			digits++
		}
		if unicode.IsUpper(r) {
			capitals++
		}
		if unicode.IsDigit(r) != unicode.IsDigit(before) || unicode.IsUpper(r) != unicode.IsUpper(before) {
			changes++
		}
		hex = hex && strings.ContainsRune("0123456789abcdef", r)
		before = r
	}
	entropy := 0.0
	for _, count := range counts {
		share := count / float64(len([]rune(word)))
		entropy -= share * math.Log2(share)
	}
	return !(hex && len(word) == 40) && digits > 1 && entropy > 3.3 && (hex && len(word) >= 32 || capitals > 1 && changes > len(word)/4 || changes > len(word)/3)
}
