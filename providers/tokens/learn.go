package tokens

import (
	"cmp"
	"errors"
	"regexp"
	"strconv"
	"sync"

	"marvin/providers"
)

const (
	// learnFrom is the smallest question, as its [Bound], that teaches a factor: in
	// shorter ones what the server adds outweighs the text.
	learnFrom = 8 << 10
	// A report of less than half of our count is one of a server that cut the prompt,
	// or left out what it had cached. It must not make the conversation look short.
	leastFactor, mostFactor = 0.5, 2.0
)

// Learn corrects later counts by the usage that a provider reported for a request. It ignores
// impossible reports.
func (m Meter) Learn(question providers.Question, usage providers.Usage) {
	if !usage.Known || Bound(question) < learnFrom {
		return
	}
	factor := float64(usage.Input) / float64(estimated(question))
	if factor < leastFactor {
		return
	}
	m.update(func(known *model) { known.factor = min(factor, mostFactor) })
}

// Refused notes a request that was too long for the model, so that [Meter.Window] drops below it:
// to the size the server named, else to a tenth below the request. Other errors change nothing.
func (m Meter) Refused(question providers.Question, err error) {
	if !errors.Is(err, providers.ErrTooLong) {
		return
	}
	size := m.Count(question, 0)
	window := size * 9 / 10
	if told := namedWindow(err.Error()); told > 0 {
		window = told // also where we count less than the server, which says its own count
	}
	m.update(func(known *model) {
		if known.window == 0 || window < known.window {
			known.window = window
		}
	})
}

// Told notes the window that a server says it uses, and the widest that it could; 0 is
// what it does not say.
func (m Meter) Told(window, widest int) {
	if window > 0 {
		m.update(func(known *model) { known.told, known.widest = window, widest })
	}
}

// Widest is the largest window that the model can be given, and now the one that it has,
// by the server's own count; 0 if that is not known.
func (m Meter) Widest() (now, widest int) { return m.known().told, m.known().widest }

// Window is how many tokens a request and its answer may have together, 0 if unknown: the server's
// value, else said (0 if the user set none), else the known value for such a model. A refusal
// lowers it.
func (m Meter) Window(said int) int {
	window := cmp.Or(m.known().told, said)
	if window == 0 {
		window = Window(m.provider, m.model)
	}
	if refused := m.known().window; refused > 0 && (window == 0 || refused < window) {
		return refused
	}
	return window
}

func (m Meter) factor() float64 {
	if factor := m.known().factor; factor > 0 {
		return factor
	}
	return 1
}

func (m Meter) known() model {
	m.counter.mu.Lock()
	defer m.counter.mu.Unlock()
	return m.counter.models[m.provider+"/"+m.model]
}

func (m Meter) update(change func(*model)) {
	m.counter.mu.Lock()
	defer m.counter.mu.Unlock()
	if m.counter.models == nil {
		m.counter.models = map[string]model{}
	}
	known := m.counter.models[m.provider+"/"+m.model]
	change(&known)
	m.counter.models[m.provider+"/"+m.model] = known
}

// sizes is how servers name their window when they refuse a prompt: OpenAI and vLLM,
// Anthropic, Gemini, llama.cpp.
var sizes = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:maximum context length (?:is|of) |context (?:window|length|size) (?:is|of) (?:only )?|tokens > |maximum number of tokens allowed \(?|available context size \(|maximum (?:allowed )?(?:input |prompt )?(?:length|tokens) (?:is|of) |limit (?:is|of) )(\d+)`)
})

func namedWindow(message string) int {
	found := sizes().FindStringSubmatch(message)
	if found == nil {
		return 0
	}
	window, err := strconv.Atoi(found[1])
	if err != nil {
		return 0
	}
	return window
}
