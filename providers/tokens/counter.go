package tokens

import (
	"math"
	"sync"

	"marvin/messages"
	"marvin/providers"
)

// Chat formats add tokens, such as role names and separators, to each message, call and tool.
const (
	messageTokens = 4
	callTokens    = 8
	toolTokens    = 8
	// pictureTokens is the number of tokens counted for each picture. Anthropic counts one token
	// per 750 pixels.
	pictureTokens = 1600
)

// Counter stores what its meters have learned about each model. The zero value is ready to use. A
// Counter is safe for concurrent use.
type Counter struct {
	mu     sync.Mutex
	models map[string]model
}

// model is what was learned about one model from its answers and refusals.
type model struct {
	factor float64 // the model's tokens per estimated token; 0 before the first report
	window int     // the lowest limit learned from refusals; 0 if unknown

	// Window sizes from the server: the current size and the maximum size; 0 if unknown.
	told, widest int
}

// MeterFor returns the [Meter] of one model.
func (c *Counter) MeterFor(provider, model string) Meter {
	return Meter{counter: c, provider: provider, model: model}
}

// Meter counts tokens for one model.
type Meter struct {
	counter         *Counter
	provider, model string
}

// Count returns the number of tokens in a question. If the result of [Bound] is below exactFrom,
// Count returns that result, because an estimate takes longer. If exactFrom is 0, Count always
// estimates.
func (m Meter) Count(question providers.Question, exactFrom int) int {
	if bound := Bound(question); bound < exactFrom {
		return bound
	}
	return m.calibrated(estimated(question))
}

// Text returns the number of tokens in text.
func (m Meter) Text(text string) int { return m.calibrated(estimate(text)) }

func (m Meter) calibrated(count int) int {
	return int(math.Ceil(float64(count) * m.factor()))
}

// Bound returns an upper bound on the number of tokens in a request. It counts one token per byte,
// because no tokenizer makes more. For tools, it counts one token per two bytes, because a token of
// English text or JSON has at least three bytes on average.
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

func estimated(question providers.Question) int {
	total := estimate(question.System) + messageTokens
	for _, message := range question.Messages {
		total += messageTokens + estimate(message.Text) + estimate(message.Result.Text) + pictures(message)
		for _, call := range message.Calls {
			total += callTokens + estimate(call.Name) + estimate(string(call.Args))
		}
	}
	for _, tool := range question.Tools {
		total += toolTokens + estimate(tool.Name) + estimate(tool.Doc) + estimate(string(tool.Schema))
	}
	return total
}

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
