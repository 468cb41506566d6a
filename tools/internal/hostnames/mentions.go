package hostnames

import (
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
)

// This file finds the hosts that the user names in a prompt. A host that begins with a scheme or
// "www." counts as named. Other words that contain a dot are often code, such as "asyncio.run" or
// "config.in". Such a word must follow a word such as "at", or be the whole sentence. It must also
// meet one of these conditions:
//
//   - The top-level domain never ends a file name or an expression in code ("at docs.example.org").
//     If the host has only two labels, the sentence must not contain code.
//   - The host has at least three labels, one of which contains a hyphen or is a common server name
//     ("get x.my-app.io"). The sentence must not contain code, and the top-level domain must not be
//     a common file name extension.
//
// Hosts in a sentence that begins with ">" do not count, because ">" marks a quotation. Hosts that
// the sentence forbids do not count either ("never contact evil.example"). If a sentence without a
// host forbids contact, the hosts of the previous sentence do not count ("https://evil.example is
// bad. Never go there.").
//
// A doubtful host does not count, because asking the user costs little.

// mention is a web address in a prompt.
type mention struct {
	Found
	Named   bool
	Negated bool
}

// Mentions returns the web addresses in a prompt.
func Mentions(prompt string) (all []mention) {
	if !mayName(prompt) {
		return nil
	}
	var previous []int // the mentions of the previous sentence
	for _, sentence := range Sentences(prompt) {
		begin := len(all)
		forbids, quoted := false, strings.HasPrefix(strings.TrimSpace(sentence), ">")
		code := codeSigns().MatchString(sentence)
		leads := false
		end := 0
		for _, at := range addresses().FindAllStringIndex(sentence, MaxAddresses) {
			if at[0] > 0 && strings.ContainsRune("@.", rune(sentence[at[0]-1])) {
				continue
			}
			between := sentence[end:at[0]]
			leads = leadsTo(between) || leads && joinsHosts().MatchString(between)
			end = at[1]
			alone := strings.Trim(sentence, " \t\r\n\"'()<>,;:.!?*_") == strings.TrimRight(sentence[at[0]:at[1]], ".,;:!?'*_~)")
			whole := bounded(sentence, at)
			before, after := sentence[:at[0]], sentence[at[1]:]
			forbids = negates(before) || negates(after) && (!leads || contacts(after))
			for _, one := range FindAddresses(sentence[at[0]:at[1]]) {
				named := !one.Bare || strings.HasPrefix(one.Host, "www.")
				if !named && whole && (leads || alone) {
					labels := strings.Count(one.Host, ".") + 1
					named = plainDomain(one.Host) && !(code && labels < 3) || labels > 2 && !code && !fileEndings[ending(one.Host)] && noCode(one.Host)
				}
				all = append(all, mention{one, named && !forbids && !quoted, forbids})
			}
		}
		if begin == len(all) && Forbids(sentence) {
			for _, at := range previous {
				all[at].Named, all[at].Negated = false, true
			}
		}
		previous = nil
		for at := begin; at < len(all); at++ {
			previous = append(previous, at)
		}
	}
	return all
}

// Sentences splits a prompt into sentences. If a line ends with a colon or a comma, its sentence
// includes the next lines, up to a blank line. For example, "Never contact these:" applies to the
// list that follows.
func Sentences(prompt string) (list []string) {
	for _, paragraph := range blankLine().Split(prompt, -1) {
		var lines []string
		for line := range strings.Lines(paragraph) {
			line = strings.TrimRight(line, "\r\n")
			if last := len(lines) - 1; last >= 0 && (strings.HasSuffix(strings.TrimSpace(lines[last]), ",") || strings.Contains(lines[last], ":\n") || strings.HasSuffix(strings.TrimSpace(lines[last]), ":")) {
				lines[last] += "\n" + line
				continue
			}
			lines = append(lines, line)
		}
		for _, line := range lines {
			begin := 0
			for _, at := range sentenceEnd().FindAllStringIndex(line, -1) {
				list = append(list, line[begin:at[1]])
				begin = at[1]
			}
			list = append(list, line[begin:])
		}
	}
	return slices.DeleteFunc(list, func(text string) bool { return strings.TrimSpace(text) == "" })
}

// bounded returns true if a match is a separate word. Punctuation around the word is ignored.
func bounded(text string, at []int) bool {
	before, after := text[:at[0]], text[at[1]:]
	before = strings.TrimRight(before, "\"'(<*_“„«")
	after = strings.TrimLeft(after, "\"')>*_,;:.!?”“»")
	return (before == "" || strings.ContainsAny(before[len(before)-1:], " \t\n\r")) && (after == "" || strings.ContainsAny(after[:1], " \t\n\r"))
}

// leadsTo reports whether the words before a host say that it is a destination.
func leadsTo(before string) bool {
	words := strings.FieldsFunc(strings.ToLower(before), func(r rune) bool { return strings.ContainsRune(" \t\r\n\"'(<*_“„«:,", r) })
	for len(words) > 0 && slices.Contains([]string{"the", "site", "website", "host", "server", "page", "domain", "die", "der", "das", "seite", "le", "la", "les"}, words[len(words)-1]) {
		if word := words[len(words)-1]; len(word) > 3 && word != "seite" {
			return true
		}
		words = words[:len(words)-1]
	}
	return len(words) > 0 && leading()[words[len(words)-1]]
}

// noCode distinguishes host names from code such as "object.member". It returns true if a label
// before the last contains a hyphen or is a common server name.
func noCode(host string) bool {
	labels := strings.Split(host, ".")
	return slices.ContainsFunc(labels[:len(labels)-1], func(label string) bool { return strings.Contains(label, "-") || servers()[label] })
}

func ending(host string) string {
	host, _, _ = strings.Cut(host, ":")
	return host[strings.LastIndexByte(host, '.')+1:]
}

// plainDomain reports whether the host ends with a top-level domain that never ends a file name or
// an expression in code.
func plainDomain(host string) bool { return plainDomains()[ending(host)] }

func setOf(text string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		set := map[string]bool{}
		for word := range strings.FieldsSeq(text) {
			set[word] = true
		}
		return set
	})
}

var (
	plainDomains = setOf("com org net edu gov mil int arpa example test de fr uk ch nl cz pl fi dk hu gr pt ie eu us ca nz jp cn kr mx ru ua tr il za se")
	servers      = setOf("api www docs pkg blog wiki cdn git gitlab gitea registry npm pypi mirror mirrors download downloads staging beta mail smtp imap ftp shop forum news support status portal raw gist learn play")
	leading      = setOf(`at to from on of via with ask visit open browse fetch get download call contact query search check read see ping try go host site website domain url address
auf von bei zu nach aus über besuche öffne frage lade hole rufe lies unter sur de chez à vers depuis visite ouvre demande va télécharge lis`)

	blankLine   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\n[ \t\r]*\n`) })
	sentenceEnd = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[.!?;][)"'*_]*(?:\s+|$)`) })
	joinsHosts  = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^[\s,"')(]*(?:(?:and|or|und|oder|et|ou)(?:\s+(?:at|to|from|on|of|the))?)?[\s"'(]*$`)
	})
	// codeSigns matches text that does not occur in prose.
	codeSigns = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile("(?i)`|\\(\\)|[\\pL\\pN_]\\(|==|=>|->|::|[{}]|(?:^|\\s)(?:import|require|class|def|func|function|method|module|package|attribute|variable|const|return|lambda|rename|refactor|fail|fails|error|exception|traceback|stack)(?:\\s|$)")
	})
)

// The code below recognizes prohibitions in English, German and French. It uses no regular
// expressions, because compiling them delayed the first prompt by a millisecond.

var (
	negations = setOf(`never not no dont doesnt mustnt shouldnt cant cannot wont without except forbidden ban banned ignore refuse deny denied malicious malware phishing scam untrusted unsafe
neither nor beware dangerous suspicious hostile hacked compromised
nicht nie niemals ohne statt verboten außer weder fern
ne pas jamais sans éviter sauf`)
	negationStems = []string{"avoid", "block", "forbid", "kein", "vermeide", "blockier", "sperr", "évite", "bloque", "interdi", "blacklist", "blocklist", "denylist", "attacker", "gefährlich", "verdächtig", "betrüger", "aucun", "arrête", "cesse", "dangereu", "suspect"}
	negationPairs = [][2]string{
		{"instead", "of"},
		{"rather", "than"},
		{"hands", "off"},
		{"finger", "weg"},
		{"hör", "auf"},
		{"away", "from"},
		{"keep", "away"},
		{"stay", "away"},
		{"keep", "clear"},
		{"stay", "clear"},
		{"keep", "out"},
		{"stay", "out"},
		{"stay", "off"},
		{"stop", "talking"},
		{"stop", "sending"},
		{"stop", "contacting"},
		{"stop", "using"},
		{"stop", "visiting"},
		{"stop", "calling"},
		{"stop", "asking"},
		{"stop", "going"},
		{"stop", "connecting"},
		{"stop", "fetching"},
		{"stop", "downloading"},
		{"stop", "opening"},
		{"stop", "loading"},
		{"stop", "posting"},
		{"stop", "pushing"},
		{"stop", "uploading"},
		{"nothing", "may"},
		{"nothing", "must"},
		{"nothing", "should"},
		{"nothing", "shall"},
		{"nothing", "can"},
		{"nothing", "goes"},
		{"nothing", "leaves"},
		{"nothing", "to"},
		{"nothing", "from"},
		{"nichts", "darf"},
		{"nichts", "soll"},
		{"nichts", "geht"},
		{"nichts", "an"},
		{"nichts", "zu"},
		{"nichts", "nach"},
		{"nichts", "von"},
		{"rien", "vers"},
		{"rien", "à"},
		{"rien", "sur"},
		{"rien", "de"},
	}
	// negationHalves lists what precedes the apostrophe in "don't" and similar words.
	negationHalves = []string{"don", "doesn", "mustn", "shouldn", "can", "won"}
	contactStems   = strings.Fields(`contact visit open go fetch use call access trust send connect talk click download brows load request reach ask touch follow avoid
kontaktier besuch öffne geh ruf lade nutz sende visite ouvr va utilis appel`)
)

// Forbids reports whether a sentence forbids contacting a host.
func Forbids(sentence string) bool { return negates(sentence) && contacts(sentence) }

func negates(text string) bool {
	before, gap := "", ""
	for word, sign := range eachWord(text) {
		if negations()[word] || hasStem(word, negationStems) || slices.Contains(negationPairs, [2]string{before, word}) && gap == " " {
			return true
		}
		if apostrophe := gap == "'" || gap == "’"; apostrophe && (before == "n" || word == "t" && slices.Contains(negationHalves, before)) {
			return true
		}
		before, gap = word, sign
	}
	return false
}

// contacts is true if text contains a verb such as "visit" or "download".
func contacts(text string) bool {
	for word := range eachWord(text) {
		if hasStem(word, contactStems) {
			return true
		}
	}
	return false
}

func hasStem(word string, stems []string) bool {
	return slices.ContainsFunc(stems, func(stem string) bool { return strings.HasPrefix(word, stem) })
}

// eachWord yields each word, converted to lower case, and the gap that follows the word.
func eachWord(text string) func(yield func(word, gap string) bool) {
	return func(yield func(word, gap string) bool) {
		for {
			begin := strings.IndexFunc(text, unicode.IsLetter)
			if begin < 0 {
				return
			}
			text = text[begin:]
			end := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) })
			if end < 0 {
				end = len(text)
			}
			next := strings.IndexFunc(text[end:], unicode.IsLetter)
			if next < 0 {
				next = len(text) - end
			}
			if !yield(strings.ToLower(text[:end]), text[end:end+next]) {
				return
			}
			text = text[end:]
		}
	}
}
