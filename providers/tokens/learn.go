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
	// learnFrom is a threshold: [Meter.Learn] ignores questions with a smaller [Bound]. In short
	// questions, the tokens that the server adds outweigh the text.
	learnFrom = 8 << 10
	// A factor below leastFactor means that the server cut the prompt or did not count the cached
	// part. [Meter.Learn] ignores such a factor, because it would make the conversation look short.
	leastFactor, mostFactor = 0.5, 2.0
)

// Learn adjusts later counts to the reported token usage. Implausible reports are ignored.
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

// RecordRefusal lowers the result of [Meter.Window] after a request that was too long for the
// model. The new maximum is the size that the server stated, or else 90 % of the request's size.
// Errors other than [providers.ErrTooLong] are ignored.
func (m Meter) RecordRefusal(question providers.Question, err error) {
	if !errors.Is(err, providers.ErrTooLong) {
		return
	}
	size := m.Count(question, 0)
	window := size * 9 / 10
	// The stated limit applies even if our count is smaller, because the server counts tokens
	// differently.
	if told := namedWindow(err.Error()); told > 0 {
		window = told
	}
	m.update(func(known *model) {
		if known.window == 0 || window < known.window {
			known.window = window
		}
	})
}

// RecordWindow stores the size of the server's context window and the maximum size. RecordWindow
// does nothing if window is 0.
func (m Meter) RecordWindow(window, widest int) {
	if window > 0 {
		m.update(func(known *model) { known.told, known.widest = window, widest })
	}
}

// Widest returns the current and the largest possible size of the context window, as reported by
// the server. An unknown size is 0.
func (m Meter) Widest() (now, widest int) { return m.known().told, m.known().widest }

// Window returns the maximum number of tokens in a request plus its answer, or 0 if unknown. The
// sources, in order of precedence, are the server's report, the configured value (0 for none) and
// the known window of the model. A refusal can lower the result; see [Meter.RecordRefusal].
func (m Meter) Window(configured int) int {
	window := cmp.Or(m.known().told, configured, Window(m.provider, m.model))
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

// windowPattern matches the window size in a refusal from OpenAI, vLLM, Anthropic, Gemini or
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
