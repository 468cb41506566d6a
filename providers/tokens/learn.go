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
	// Marvin learns a factor only from a question whose [Bound] is at least learnFrom. In shorter
	// questions the tokens that the server adds outweigh the text.
	learnFrom = 8 << 10
	// A factor below leastFactor means that the server cut the prompt, or left out its cached part.
	// Such a report must not make the conversation look short.
	leastFactor, mostFactor = 0.5, 2.0
)

// Learn corrects later counts with the usage that a provider reported for a request. It ignores
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

// RecordRefusal records a request that was too long for the model. [Meter.Window] then returns the
// size that the server stated. If the server stated no size, Window returns 90 % of the request's
// size. Other errors change nothing.
func (m Meter) RecordRefusal(question providers.Question, err error) {
	if !errors.Is(err, providers.ErrTooLong) {
		return
	}
	size := m.Count(question, 0)
	window := size * 9 / 10
	if told := namedWindow(err.Error()); told > 0 {
		window = told // even if our own count is lower, because the server's limit refers to the server's count
	}
	m.update(func(known *model) {
		if known.window == 0 || window < known.window {
			known.window = window
		}
	})
}

// RecordWindow records the current context window that a server reports, and the largest possible
// one; 0 means unknown.
func (m Meter) RecordWindow(window, widest int) {
	if window > 0 {
		m.update(func(known *model) { known.told, known.widest = window, widest })
	}
}

// Widest returns the current context window of the model and the largest possible one, as the
// server reported them; 0 means unknown.
func (m Meter) Widest() (now, widest int) { return m.known().told, m.known().widest }

// Window returns the number of tokens that a request and its answer may have together, 0 if it is
// unknown. The server's own report comes first, then the argument "said" (the user's setting, or
// 0), then the known value for the model. A refusal limits the number: see [Meter.RecordRefusal].
func (m Meter) Window(said int) int {
	window := cmp.Or(m.known().told, said, Window(m.provider, m.model))
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

// windowPattern matches the size of the window in a refusal from OpenAI, vLLM, Anthropic, Gemini or
// llama.cpp.
var windowPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(?:maximum context length (?:is|of) |context (?:window|length|size) (?:is|of) (?:only )?|tokens > |maximum number of tokens allowed \(?|available context size \(|maximum (?:allowed )?(?:input |prompt )?(?:length|tokens) (?:is|of) |limit (?:is|of) )(\d+)`)
})

func namedWindow(message string) int {
	found := windowPattern().FindStringSubmatch(message)
	if found == nil {
		return 0
	}
	window, err := strconv.Atoi(found[1])
	if err != nil {
		return 0
	}
	return window
}
