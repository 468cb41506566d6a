package budget

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"marvin/messages"
)

// Cache describes how a provider caches the beginning of a prompt between requests.
type Cache struct {
	Now   time.Time
	Model string        // the model of the next request, as provider/model
	Lasts time.Duration // how long a cached prompt is kept after its last use
	Paid  bool          // tokens cost money, and the server reports cache hits
}

const (
	leastEarly   = 1_000  // the minimum number of tokens that early removal must free
	newestStay   = 40_000 // early removal spares the newest results, up to this many tokens in total
	leastOld     = 20_000 // older results are removed only if together they have at least this many tokens
	cacheable    = 4_096  // every caching provider caches prompts of at least this many tokens
	uncachedRuns = 3      // after this many answers without a cached token, the provider is assumed to have no cache
)

// Cold reports whether the model changed, the cached prompt has expired, or the provider did not
// cache the last requests. In these cases, the provider's cache does not contain the prompt. In
// case of doubt, Cold returns false.
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

// ChooseEarly chooses results to remove before the conversation becomes too long: empty results and
// outdated file contents, and also other old results if the removal frees many tokens. It never
// chooses a skill, or a result that the model has not seen yet.
//
// Call ChooseEarly only if [Cache.Cold] returns true. Otherwise, the provider must reread all
// messages after the first removed result. In a test with twelve rounds that read and changed one
// file, early removal reduced the tokens to 25 percent, but the cost only to 57 percent. The reason
// is that fewer tokens were cached. A local model reads uncached tokens slowly.
func ChooseEarly(input Input) []Removal {
	seen := lastAnswer(input.Messages)
	if input.Limits.Manual || seen <= 0 {
		return nil
	}
	return stale(input.Messages, seen, input.Turn)
}

// lastAnswer returns the index of the model's last message, or -1. Later messages have not been
// sent yet.
func lastAnswer(all []messages.Message) int {
	for at, message := range slices.Backward(all) {
		if message.Role == messages.Assistant {
			return at
		}
	}
	return -1
}

// argumentsOf returns the normalized arguments of a call in the last answer, or "".
func argumentsOf(all []messages.Message, id string) string {
	at := lastAnswer(all)
	if at < 0 {
		return ""
	}
	for _, call := range all[at].Calls {
		if call.ID == id {
			return sorted(call.Args)
		}
	}
	return ""
}

// sorted returns the JSON object with sorted keys, or "" if the object cannot be decoded.
func sorted(args json.RawMessage) string {
	var arguments map[string]any
	if json.Unmarshal(args, &arguments) != nil {
		return ""
	}
	same, _ := json.Marshal(arguments)
	return string(same)
}

// stale chooses the results for [ChooseEarly]. Among the newest results, it chooses only those that
// are empty or outdated. A result is outdated if the same part of the file was read again later. A
// result of an earlier turn is also outdated if the file was changed later. The model still needs
// the results of the running turn.
func stale(all []messages.Message, seen, turn int) []Removal {
	changed, later, pointed := superseded(all), map[string]bool{}, map[string]bool{}
	var leaving, first []Removal
	stay, saved, savedFirst := 0, 0, 0
	for at, message := range slices.Backward(all) {
		if message.Role != messages.Tool {
			continue
		}
		if call := pointsAt(message.Result.Text); call != "" {
			pointed[call] = true
		}
		tokens, same := estimate(message), ""
		if message.Result.Name == "read_file" {
			same = argumentsOf(all[:at], message.Result.Call)
		}
		empty := uneventful(message)
		again := same != "" && later[same] || changed[at] && at < turn || empty
		later[same] = true
		skill := message.Result.Name == "read_skill" || strings.Contains(same, `"path":"skill:`)
		if at >= seen || tokens < leastLeaving && !empty || pointed[message.Result.Call] || skill || !again && stay < newestStay {
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

// estimate returns the approximate number of tokens in a message, at four bytes per token. An exact
// count would cost more than it saves.
func estimate(message messages.Message) int {
	bytes := len(message.Text) + len(message.Result.Text)
	for _, call := range message.Calls {
		bytes += len(call.Name) + len(call.Args)
	}
	return bytes/4 + 4
}
