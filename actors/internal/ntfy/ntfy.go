package ntfy

import (
	"context"
	"fmt"
	"slices"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/conv"
	"marvin/actors/internal/task"
	"marvin/messages"
)

// Messages to the ntfy actor.
type (
	// Poll asks for new messages from a profile's topics. The actor replies with a series of
	// [Notifications] and sets Last in the final one.
	Poll struct{ Profile string }
	// Delivered is a list of messages that the turn has shown to the user and will send to the
	// model. The recorder stores the list, so that the messages are not shown again.
	Delivered struct {
		Profile string
		News    []messages.Notification
	}

	// Tasks send their results in the following messages. The actor ignores results from before its
	// last restart.
	listed struct {
		incarnation context.Context
		profile     string
		topics      []string
		err         error
	}
	fetched struct {
		incarnation    context.Context
		profile, topic string
		news           []messages.Notification
		err            error
	}
)

// Notifications is one of the replies to a [Poll].
type Notifications struct {
	News     []messages.Notification
	Problems []string
	Last     bool
}

// New returns the actor that fetches the user's messages. The recorder stores which of them were
// shown.
func New(source conv.Notifier, recorder *actor.PID) actor.Actor {
	return &ntfy{source: source, recorder: recorder}
}

// ntfy fetches the user's messages when a turn polls. It keeps each message until the message has
// been shown, so a message that arrives too late for one turn reaches the next.
type ntfy struct {
	source   conv.Notifier
	recorder *actor.PID
	profiles map[string]*inbox
	ctx      context.Context
	cancel   context.CancelFunc
}

// inbox contains the state of one profile.
type inbox struct {
	asker    *actor.PID // the last turn that polled; nil once that turn has all answers
	listing  bool
	asking   map[string]bool // topics with a running request
	awaited  map[string]bool // topics that were requested after the last poll and have not replied
	untold   []messages.Notification
	sent     int                     // untold[:sent] was already sent to the asker
	told     []messages.Notification // recently shown messages, perhaps not yet on disk
	problems []string
	failing  map[string]bool // topics whose failure was reported
}

func (n *ntfy) Receive(c actor.Context) {
	switch message := c.Message().(type) {
	case *actor.Started:
		n.profiles = map[string]*inbox{}
		n.ctx, n.cancel = context.WithCancel(context.Background())
	case Poll:
		n.poll(c, message)
	case listed:
		if message.incarnation == n.ctx {
			n.fetchTopics(c, message)
		}
	case fetched:
		if message.incarnation == n.ctx {
			n.fetched(c, message)
		}
	case Delivered:
		n.recordShown(c, message)
	case *actor.Stopping, *actor.Restarting:
		n.cancel()
	}
}

func (n *ntfy) inbox(profile string) *inbox {
	box := n.profiles[profile]
	if box == nil {
		box = &inbox{asking: map[string]bool{}, failing: map[string]bool{}}
		n.profiles[profile] = box
	}
	return box
}

func (n *ntfy) poll(c actor.Context, wish Poll) {
	box := n.inbox(wish.Profile)
	box.asker, box.sent, box.awaited = c.Sender(), 0, map[string]bool{}
	box.untold = n.source.Unshown(wish.Profile, box.untold)
	if box.listing {
		return
	}
	box.listing = true
	source, ctx := n.source, n.ctx
	task.Do(c, func() any {
		topics, err := source.Topics(wish.Profile)
		return listed{incarnation: ctx, profile: wish.Profile, topics: topics, err: err}
	}, func(panicked *task.Panicked) any {
		return listed{incarnation: ctx, profile: wish.Profile, err: panicked}
	})
}

// fetchTopics fetches all topics in parallel, except those with a running request.
func (n *ntfy) fetchTopics(c actor.Context, message listed) {
	box := n.inbox(message.profile)
	box.listing = false
	box.reportTrouble("the list of topics", message.err)
	source, ctx := n.source, n.ctx
	for _, topic := range message.topics {
		if box.asking[topic] {
			continue
		}
		box.asking[topic], box.awaited[topic] = true, true
		task.Do(c, func() any {
			news, err := source.Fetch(ctx, message.profile, topic)
			return fetched{incarnation: ctx, profile: message.profile, topic: topic, news: news, err: err}
		}, func(panicked *task.Panicked) any {
			return fetched{incarnation: ctx, profile: message.profile, topic: topic, err: panicked}
		})
	}
	n.answer(c, box)
}

func (n *ntfy) fetched(c actor.Context, message fetched) {
	box := n.inbox(message.profile)
	delete(box.asking, message.topic)
	delete(box.awaited, message.topic)
	box.reportTrouble(message.topic, message.err)
	for _, one := range n.source.Unshown(message.profile, message.news) {
		if !slices.ContainsFunc(box.untold, one.Same) && !slices.ContainsFunc(box.told, one.Same) {
			box.untold = append(box.untold, one)
		}
	}
	n.answer(c, box)
}

// answer replies to the latest [Poll] with the problems and the unsent messages.
func (n *ntfy) answer(c actor.Context, box *inbox) {
	if box.asker == nil {
		return
	}
	last := !box.listing && len(box.awaited) == 0
	c.Send(box.asker, Notifications{News: slices.Clone(box.untold[box.sent:]), Problems: box.problems, Last: last})
	box.sent, box.problems = len(box.untold), nil
	if last {
		box.asker = nil
	}
}

func (n *ntfy) recordShown(c actor.Context, message Delivered) {
	box := n.inbox(message.Profile)
	before := len(box.untold)
	box.untold = slices.DeleteFunc(box.untold, func(one messages.Notification) bool {
		return slices.ContainsFunc(message.News, one.Same)
	})
	box.sent = max(0, box.sent-(before-len(box.untold)))
	const remembered = 200
	box.told = append(box.told, message.News...)
	box.told = box.told[max(0, len(box.told)-remembered):]
	c.Send(n.recorder, message)
}

// reportTrouble reports an error. Consecutive errors for the same topic are reported only once.
func (b *inbox) reportTrouble(topic string, err error) {
	if err != nil && !b.failing[topic] {
		b.problems = append(b.problems, fmt.Sprintf("ntfy, %s: %v", topic, err))
	}
	b.failing[topic] = err != nil
}
