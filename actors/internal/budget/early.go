package budget

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"marvin/messages"
)

// Cache is what is known of how a provider keeps the beginning of a prompt, so that it need
// not read it anew with the next request.
type Cache struct {
	Now   time.Time
	Model string        // that is asked next, as provider/model
	Lasts time.Duration // how long it is kept after it was used last
	Paid  bool          // tokens cost money there, and what was read from the cache is told
	Anew  int           // tokens that may be read anew while it is kept: [AnewAtMost], or 0
}

// AnewAtMost is how many tokens that a provider keeps may be read anew so that older ones
// leave the view. It bounds the wait for the next answer as well.
const AnewAtMost = 8_000

const (
	// pays is how many times as many tokens must leave as are read anew for it. What is kept
	// costs a tenth of what is read anew (Anthropic, OpenAI, DeepSeek): to read a token anew
	// costs 0.9 more, and one that left saves 0.1 with each later request, so that twice as
	// many have paid for it after the fifth request. At half the price (Groq) one is enough.
	pays         = 2
	leastEarly   = 1_000  // tokens that leave at once, or else it is not worth a changed history
	newestStay   = 40_000 // tokens of the newest results stay when nothing is kept any more
	leastOld     = 20_000 // tokens of older ones that leave at once, or else none does
	cacheable    = 4_096  // tokens of a prompt that every provider with a cache keeps
	uncachedRuns = 3      // answers in a row without a cached token: there is no cache
)

// Cold says whether the provider has to read the whole prompt anew, whatever is in it: it is
// another model's, too much time has passed, or it never kept anything. A conversation of
// which that is not known is taken to be kept.
func (c Cache) Cold(all []messages.Message) bool {
	uncached, first := 0, true
	for _, message := range slices.Backward(all) {
		if message.Role != messages.Assistant || message.Model == "" {
			continue
		}
		if first && (message.Model != c.Model || c.Lasts > 0 && !message.At.IsZero() && c.Now.Sub(message.At) >= c.Lasts) {
			return true
		}
		first = false
		usage := message.Usage
		if !c.Paid || message.Model != c.Model || usage.Estimated || usage.Input < cacheable || usage.Cached+usage.Written > 0 {
			return false
		}
		if uncached++; uncached == uncachedRuns {
			return true
		}
	}
	return false
}

// Early says which results may leave the view although there is room for them. While the
// provider keeps the beginning of the prompt these are only contents of files that were read
// again since, and only if what stands behind them is short and they are longer: all of that
// is read anew. Where nothing is kept all is read anew in any case, and more may leave, in
// batches. What the model has not seen yet never leaves, nor does a skill.
//
// A turn that goes on pays for what leaves with what it saves; a person who has the
// conversation summarised by hand only (Limits.Manual) decides that too.
func Early(input Input, cache Cache, cold bool) []Leaving {
	seen := lastAnswer(input.Messages)
	switch {
	case input.Limits.Manual || seen <= 0:
		return nil
	case cold:
		return stale(input.Messages, seen, input.Turn)
	case cache.Anew > 0:
		return readAgain(input.Messages, seen, cache.Anew)
	}
	return nil
}

// lastAnswer is the position of the model's last message: what stands behind it was never
// sent. It is -1 if there is none.
func lastAnswer(all []messages.Message) int {
	for at, message := range slices.Backward(all) {
		if message.Role == messages.Assistant {
			return at
		}
	}
	return -1
}

// readAgain are contents of files in front of seen that a later call with the same arguments
// read anew. It looks back no further than may be read anew, so it costs the same in a long
// conversation.
func readAgain(all []messages.Message, seen, most int) (best []Leaving) {
	var leaving []Leaving
	later, pointed := map[string]bool{}, map[string]bool{} // arguments; calls whose result is pointed at
	anew, saved := 0, 0
	for at := len(all) - 1; at >= 0 && anew <= most; at-- {
		result, tokens := all[at].Result, roughly(all[at])
		switch {
		case all[at].Role != messages.Tool || result.Name != "read_file" || result.Status != messages.OK:
		case pointsAt(result.Text) != "":
			pointed[pointsAt(result.Text)] = true // guard: what a word points at stays
		default:
			same := argumentsOf(all[:at], result.Call)
			if at >= seen || same == "" || !later[same] || pointed[result.Call] || tokens < leastLeaving || len(result.Pictures) > 0 {
				later[same] = true
				break
			}
			one := leave(at, all[at])
			one.Again = true
			leaving, saved, tokens = append(leaving, one), saved+tokens, 0
			if saved >= max(pays*anew, leastEarly) {
				best = slices.Clone(leaving)
			}
		}
		if at < seen {
			anew += tokens
		}
	}
	slices.Reverse(best)
	return best
}

// argumentsOf are those of a call, which is in the last answer, in a form that only depends
// on what they say.
func argumentsOf(all []messages.Message, id string) string {
	at := lastAnswer(all)
	if at < 0 {
		return ""
	}
	for _, call := range all[at].Calls {
		var arguments map[string]any
		if call.ID == id && json.Unmarshal(call.Args, &arguments) == nil {
			same, _ := json.Marshal(arguments) // with its names in order
			return string(same)
		}
	}
	return ""
}

// stale are the results in a conversation that is read anew as a whole: what is in front of
// the newest, and, wherever they stand, contents of files that were read again, or that
// changed after the turn in which they were read. In the running one it is the model that
// changes a file, and it goes on with what it knows of it.
func stale(all []messages.Message, seen, turn int) []Leaving {
	changed, later, pointed := superseded(all), map[string]bool{}, map[string]bool{}
	var leaving, first []Leaving
	stay, saved, savedFirst := 0, 0, 0
	for at, message := range slices.Backward(all) {
		if message.Role != messages.Tool {
			continue
		}
		if call := pointsAt(message.Result.Text); call != "" {
			pointed[call] = true
		}
		tokens, same := roughly(message), ""
		if message.Result.Name == "read_file" {
			same = argumentsOf(all[:at], message.Result.Call)
		}
		again := same != "" && later[same] || changed[at] && at < turn
		later[same] = true
		if at >= seen || tokens < leastLeaving || pointed[message.Result.Call] || strings.Contains(same, `"path":"skill:`) || !again && stay < newestStay {
			stay += tokens
			continue
		}
		one := leave(at, message)
		if one.Again = again; again {
			first, savedFirst = append(first, one), savedFirst+tokens
		}
		leaving, saved = append(leaving, one), saved+tokens
	}
	switch {
	case saved < leastOld && savedFirst < leastEarly:
		return nil
	case saved < leastOld:
		leaving = first
	}
	slices.Reverse(leaving)
	return leaving
}

// roughly is how many tokens a message takes, of about four bytes. To count them would cost
// more than is decided here.
func roughly(message messages.Message) int {
	bytes := len(message.Text) + len(message.Result.Text)
	for _, call := range message.Calls {
		bytes += len(call.Name) + len(call.Args)
	}
	return bytes/4 + 4
}
