package fleet

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"marvin/cmd/marvin/internal/batch"
	"marvin/messages"
)

// task is a prompt as it is sent to a worker.
type task struct {
	Protocol int                `json:"v"`
	Batch    string             `json:"batch"`
	Sent     time.Time          `json:"sent"` // only the latest task per prompt id counts
	Prompt   batch.Prompt       `json:"prompt"`
	Limits   Limits             `json:"limits"`
	Held     batch.Restrictions `json:"held"`
	Live     bool               `json:"live,omitempty"`     // a user watches the prompt's progress
	MaxCost  float64            `json:"max_cost,omitempty"` // in US dollars, or 0 for no limit
}

// Limits are the sender's limits for each prompt. A worker has limits of its own as well.
type Limits struct {
	Rounds int           `json:"rounds,omitempty"`
	Time   time.Duration `json:"time_ns,omitempty"`
}

// check returns an error if a received prompt is invalid. The sender makes the same check, but a
// worker cannot know who sent the prompt.
func (t task) check() error {
	switch {
	case t.Limits.Rounds < 0:
		return fmt.Errorf("\"limits\": %d is not a valid number of rounds", t.Limits.Rounds)
	case t.Limits.Time < 0:
		return fmt.Errorf("\"limits\": %s is not a valid time limit", t.Limits.Time)
	case !sum(t.MaxCost):
		return fmt.Errorf("\"max_cost\": %g is not a valid cost limit", t.MaxCost)
	}
	return t.Prompt.Check()
}

// reply is the message that carries a result from a worker to the sender.
type reply struct {
	Protocol int          `json:"v"`
	Worker   string       `json:"worker"`
	Asked    string       `json:"asked"`
	Sent     time.Time    `json:"sent"` // when the task was sent
	Result   batch.Result `json:"result"`
}

// protocolHeader is the message header that contains the protocol version. A receiver checks the
// version before it decodes the message.
const protocolHeader = "Marvin-Protocol"

// key hashes id to a string that can be part of a subject.
func key(id string) string {
	sum := sha256.Sum256([]byte(id))
	return hex.EncodeToString(sum[:16])
}

// demand is what a prompt requires of its worker. Each distinct demand has its own consumer, so
// that a prompt without a suitable worker does not block others.
type demand struct {
	Label    string `json:"label,omitempty"`
	Provider string `json:"provider,omitempty"`
	Role     string `json:"role,omitempty"`
	Dir      string `json:"dir,omitempty"`
	Git      bool   `json:"git,omitempty"`
}

func demandOf(prompt batch.Prompt) demand {
	wanted := demand{Label: prompt.Label, Provider: prompt.Provider, Role: prompt.Role, Git: prompt.Git != ""}
	if strings.HasPrefix(prompt.Dir, "/") { // a relative path does not limit the choice of workers
		wanted.Dir = prompt.Dir
	}
	return wanted
}

// name returns an identifier that can be part of a subject or a key.
func (d demand) name() string {
	if d == (demand{}) {
		return "any"
	}
	encoded, _ := json.Marshal(d) // strings and booleans can always be encoded
	sum := sha256.Sum256(encoded)
	return hex.EncodeToString(sum[:6])
}

func (d demand) words() string {
	if d == (demand{}) {
		return "any prompt"
	}
	var list []string
	for _, one := range [][2]string{{"label", d.Label}, {"provider", d.Provider}, {"role", d.Role}, {"directory", d.Dir}} {
		if one[1] != "" {
			list = append(list, one[0]+" "+one[1])
		}
	}
	if d.Git {
		list = append(list, "checkouts of git")
	}
	return strings.Join(list, ", ")
}

func (f *Fleet) promptSubject(need, batch, key string) string {
	return f.address.Stream + ".prompts." + need + "." + batch + "." + key
}

func (f *Fleet) resultSubject(batch, key string) string {
	return f.address.Stream + ".results." + batch + "." + key
}

func (f *Fleet) liveSubject(batch, key string) string {
	return f.address.Stream + ".live." + batch + "." + key
}

var outcomes = []messages.Outcome{messages.Completed, messages.Incomplete, messages.Failed, messages.Cancelled}

// decodeReply parses a worker's untrusted result. It refuses a result whose ID does not match the
// subject, or whose numbers would make the sums invalid.
func decodeReply(subject string, data []byte) (reply, error) {
	var r reply
	if err := json.Unmarshal(data, &r); err != nil {
		return r, err
	}
	switch result := r.Result; {
	case r.Protocol != Protocol:
		return r, fmt.Errorf("it speaks version %d", r.Protocol)
	case !strings.HasSuffix(subject, "."+key(result.ID)):
		return r, errors.New("the message's subject and the result name different prompts")
	case !slices.Contains(outcomes, result.Outcome):
		return r, fmt.Errorf("there is no outcome %q", result.Outcome)
	case !sum(result.Cost) || !sum(result.Took) || !sum(result.Usage.Cost):
		return r, errors.New("its cost or time is not a number")
	}
	for _, tokens := range []int{r.Result.Usage.Turns, r.Result.Usage.InputTokens, r.Result.Usage.CachedTokens, r.Result.Usage.OutputTokens, r.Result.Usage.Estimated} {
		if tokens < 0 || tokens > 1<<40 {
			return r, errors.New("its tokens are not numbers")
		}
	}
	for _, cost := range r.Result.Usage.ModelCost {
		if !sum(cost) {
			return r, errors.New("its cost is not a number")
		}
	}
	r.Result.Asked, r.Result.Worker = r.Asked, r.Worker
	return r, nil
}

func sum(n float64) bool { return n >= 0 && n < 1e9 && !math.IsNaN(n) }

// taken is true if a write failed because another message on the subject was stored first.
func taken(err error) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && (api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequence || api.ErrorCode == jetstream.JSErrCodeStreamWrongLastSequenceConstant)
}
