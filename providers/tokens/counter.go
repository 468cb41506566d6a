package tokens

import (
	"hash/maphash"
	"math"
	"sync"

	"marvin/messages"
	"marvin/providers"
	"marvin/providers/tokens/internal/o200k"
)

// Tokens that chat formats add for each message, call and tool: role names and separators.
const (
	messageTokens = 4
	callTokens    = 8
	toolTokens    = 8
	// pictureTokens is what a picture takes at most, in the sizes in which it is sent:
	// Anthropic's pixels / 750.
	pictureTokens = 1600
)

// generation is how many counts are kept before old ones are forgotten: two
// generations take about 1 MB and hold the texts of some forty long conversations.
const generation = 16 << 10

// Counter remembers counts of texts and what was learnt of models. The zero value is
// ready. It is safe for concurrent use.
type Counter struct {
	mu         sync.Mutex
	young, old map[fingerprint]int
	models     map[string]model
}

// model is what answers and refusals taught about one model.
type model struct {
	factor float64 // tokens of the model for one of o200k; 0 until it reported
	window int     // a size that was refused; 0 if there was none

	told, widest int // windows as the server tells them; 0 if it does not
}

// fingerprint stands for a text. Two different texts of a process share one with a
// chance of 1 in 10¹⁰, and then a count is wrong.
type fingerprint struct {
	hash uint64
	size int
}

var seed = maphash.MakeSeed()

// For gives the meter of a model.
func (c *Counter) For(provider, model string) Meter {
	return Meter{counter: c, provider: provider, model: model}
}

// Meter counts for one model.
type Meter struct {
	counter         *Counter
	provider, model string
}

// Count is how many tokens the question takes. As long as [Bound] stays below
// exactFrom it is that bound, which counts nothing; give the smallest number at
// which the answer makes a difference, 0 to count always.
func (m Meter) Count(question providers.Question, exactFrom int) int {
	if bound := Bound(question); bound < exactFrom {
		return bound
	}
	return m.calibrated(m.counter.question(question))
}

// Text is how many tokens a text takes.
func (m Meter) Text(text string) int { return m.calibrated(m.counter.text(text)) }

func (m Meter) calibrated(count int) int {
	return int(math.Ceil(float64(count) * m.factor()))
}

// Bound is the most tokens a request can have with any tokenizer: one per byte. Tool descriptions
// count half, because they are English and JSON with at least three bytes per token.
func Bound(question providers.Question) int {
	total := len(question.System) + 2*messageTokens
	for _, message := range question.Messages {
		total += 2*messageTokens + len(message.Text) + len(message.Result.Text) + pictures(message)
		for _, call := range message.Calls {
			total += 2*callTokens + len(call.Name) + len(call.Args)
		}
	}
	for _, tool := range question.Tools {
		total += 2*toolTokens + (len(tool.Name)+len(tool.Doc)+len(tool.Schema))/2
	}
	return total
}

func (c *Counter) question(question providers.Question) int {
	total := c.text(question.System) + messageTokens
	for _, message := range question.Messages {
		total += c.message(message)
	}
	for _, tool := range question.Tools {
		total += toolTokens + c.text(tool.Name) + c.text(tool.Doc) + c.text(string(tool.Schema))
	}
	return total
}

func (c *Counter) message(message messages.Message) int {
	total := messageTokens + c.text(message.Text) + c.text(message.Result.Text) + pictures(message)
	for _, call := range message.Calls {
		total += callTokens + c.text(call.Name) + c.text(string(call.Args))
	}
	return total
}

// pictures is what those of a message take.
func pictures(message messages.Message) (total int) {
	for _, list := range [][]messages.Picture{message.Pictures, message.Result.Pictures} {
		for _, picture := range list {
			if len(picture.Data) > 0 {
				total += pictureTokens
			}
		}
	}
	return total
}

// text counts outside the lock: a long text must not hold up other conversations.
func (c *Counter) text(text string) int {
	if text == "" {
		return 0
	}
	of := fingerprint{maphash.String(seed, text), len(text)}
	if count, ok := c.recall(of); ok {
		return count
	}
	count := o200k.Count(text)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.note(of, count)
	return count
}

func (c *Counter) recall(of fingerprint) (int, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if count, ok := c.young[of]; ok {
		return count, true
	}
	count, ok := c.old[of]
	if ok {
		c.note(of, count) // what is still in use moves on to the next generation
	}
	return count, ok
}

// counted says whether any text was counted yet.
func (c *Counter) counted() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.young) > 0
}

func (c *Counter) note(of fingerprint, count int) {
	if c.young == nil || len(c.young) >= generation {
		c.young, c.old = map[fingerprint]int{}, c.young
	}
	c.young[of] = count
}
