package tools

import (
	"crypto/sha256"
	"encoding/json"
	"html"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"unicode"
)

// Trail is what a conversation knows of places on the network: those that the person
// named, and the addresses that came from there. It never holds what a model, a file or
// a command made up. Sub-agents share the one of their conversation. It is safe for
// concurrent use; nil knows nothing.
type Trail struct {
	mu    sync.Mutex
	hosts map[string]bool // that the person named, without www.
	words map[string]bool // of their prompts: names of topics and services
	read  map[fingerprint]bool
	order []fingerprint // of read, the oldest first from next on
	next  int
}

type fingerprint [16]byte

const (
	// trailLength is how many addresses are remembered, 24 bytes each.
	trailLength = 8192
	// pasted is the length in bytes from which a prompt is taken for something that was
	// pasted, which may be a stranger's: addresses in it may be read, but it names none
	// of their hosts.
	pasted = 4000
	// mostNames bounds what is named.
	mostNames = 10_000
)

// Say notes what the person wrote.
func (t *Trail) Say(prompt string) {
	if t == nil {
		return
	}
	inPrompt := findAddresses(prompt)
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, one := range inPrompt {
		t.remember(one.address)
		ending := one.host[strings.LastIndexByte(one.host, '.')+1:]
		if len(prompt) < pasted && !(one.bare && one.rest == "" && fileEndings[ending]) {
			t.name(&t.hosts, one.host)
		}
	}
	if len(prompt) < pasted {
		for word := range strings.FieldsFuncSeq(strings.ToLower(prompt), func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '_'
		}) {
			t.name(&t.words, word)
		}
		t.logins(prompt)
	}
}

// logins notes what a prompt writes as one word, which may be a login (user@host) or the
// name of a host for ssh, and the hosts that it names by their number.
func (t *Trail) logins(prompt string) {
	for field := range strings.FieldsSeq(strings.ToLower(prompt)) {
		field = strings.Trim(field, "\"'`()<>[]{},;:.!?*_")
		before, _, _ := strings.Cut(field, ":")
		for _, word := range []string{field, before} {
			t.name(&t.words, word)
			if ip, err := netip.ParseAddr(word); err == nil {
				t.name(&t.hosts, ip.String())
			}
		}
	}
}

// said says whether a prompt wrote a login, or the host in it, as it stands.
func (t *Trail) said(login string) bool {
	if t == nil || login == "" {
		return false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	login = strings.ToLower(login)
	return t.words[login] || t.words[login[strings.LastIndexByte(login, '@')+1:]]
}

// Grant notes that a person lets everything be sent to a host.
func (t *Trail) Grant(host string) {
	if t != nil {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.name(&t.hosts, host)
	}
}

// Revoke takes a host back that was granted or named; "" is none.
func (t *Trail) Revoke(host string) {
	if t != nil && host != "" {
		t.mu.Lock()
		defer t.mu.Unlock()
		delete(t.hosts, strings.TrimPrefix(host, "www."))
	}
}

// Pass notes that a person let this address be asked for.
func (t *Trail) Pass(text string) {
	if to, ok := parseAddress(text); ok && t != nil {
		t.mu.Lock()
		defer t.mu.Unlock()
		t.remember(to)
	}
}

// Hear notes the addresses in what the network answered. Those that the arguments of the
// call said already are left out: a service repeats what it was asked.
func (t *Trail) Hear(text string, args json.RawMessage, destinations []Destination) {
	if t == nil {
		return
	}
	inText := findAddresses(text)
	if len(inText) == 0 {
		return
	}
	asked := repeated(args, destinations)
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, one := range inText {
		if !asked.says(one) {
			t.remember(one.address)
		}
	}
}

// echo is what a service may repeat, in one spelling.
type echo struct {
	text  string
	known []string // the addresses in it
}

func repeated(args json.RawMessage, destinations []Destination) echo {
	var said strings.Builder
	for _, value := range textValues(args) {
		own := false
		for _, to := range destinations {
			own = own || to.Address == value // the page itself, which may lead to its own parts
		}
		if !own {
			said.WriteString(value + "\n")
		}
	}
	whole := echo{text: plain(said.String())}
	for _, one := range findAddresses(whole.text) {
		if one.rest != "" && one.rest != "/" {
			whole.known = append(whole.known, plain(one.key()))
		}
	}
	return whole
}

// plain undoes what a service may do to text that it repeats.
func plain(text string) string {
	text = html.UnescapeString(Unhidden(text))
	if decoded, err := url.PathUnescape(text); err == nil {
		text = decoded
	}
	return strings.ToLower(text)
}

func (e echo) says(one found) bool {
	if e.text == "" {
		return false
	}
	key, spelt := plain(one.key()), plain(strings.TrimSuffix(one.text, "/"))
	if strings.Contains(e.text, key) || strings.Contains(e.text, spelt) {
		return true
	}
	for _, known := range e.known {
		if strings.HasPrefix(key, known) {
			return true
		}
	}
	return false
}

func (t *Trail) name(in *map[string]bool, name string) {
	if *in == nil {
		*in = map[string]bool{}
	}
	if len(*in) < mostNames {
		(*in)[strings.TrimPrefix(name, "www.")] = true
	}
}

func (t *Trail) remember(one address) {
	if t.read == nil {
		t.read = map[fingerprint]bool{}
	}
	for _, each := range []address{one, one.page()} {
		mark := markOf(each)
		switch {
		case t.read[mark]:
			continue
		case len(t.order) < trailLength:
			t.order = append(t.order, mark)
		default:
			delete(t.read, t.order[t.next])
			t.order[t.next] = mark
			t.next = (t.next + 1) % trailLength
		}
		t.read[mark] = true
	}
}

func markOf(one address) fingerprint {
	sum := sha256.Sum256([]byte(one.key()))
	return fingerprint(sum[:16])
}

// knows is what is known of a destination.
func (t *Trail) knows(to Destination) known {
	if t == nil {
		return unknown
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if to.Reach == Public {
		if t.words[strings.ToLower(to.Name)] {
			return named
		}
		return unknown
	}
	if t.hosts[strings.TrimPrefix(to.Name, "www.")] {
		return named
	}
	if at, ok := parseAddress(to.Address); ok && !to.More && t.read[markOf(at)] {
		return read
	}
	return unknown
}
