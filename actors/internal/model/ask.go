package model

import (
	"context"
	"errors"
	"fmt"

	"github.com/asynkron/protoactor-go/actor"
	"marvin/actors/internal/task"
	"marvin/providers"
	"marvin/tools"
)

func (p *provider) ask(c actor.Context, wish Ask) {
	if p.request != nil {
		c.Send(c.Sender(), Answered{Err: errors.New("the model is still answering an earlier question")})
		return
	}
	if err := p.deps.MayTell(p.choice, wish.Places); err != nil {
		c.Send(c.Sender(), Answered{Err: err})
		return
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	asked := &request{asker: c.Sender(), cancel: cancel, silence: wish.Silence, last: p.deps.Now()}
	p.request = asked
	model, self, root := p.model, c.Self(), c.ActorSystem().Root
	task.Do(c, func() any {
		if model == nil {
			var err error
			if model, err = p.deps.Connect(p.choice); err != nil {
				return ended{request: asked, err: err}
			}
			root.Send(self, connected{request: asked, model: model})
		}
		mind := thinking{origin: p.choice.String()}
		reply, err := model.Respond(ctx, wish.Question, func(part providers.Part) {
			mind.take(part)
			root.Send(self, arrived{request: asked, part: part})
		})
		reply.Thinking = mind.thoughtsOf(reply)
		if (err == nil || reply.Text != "") && p.choice.Provider != providers.Offline {
			told := reply.Usage
			if reply.Usage = estimated(p.deps.Tokens.MeterFor(p.choice.Provider, p.choice.Model), wish.Question, reply); told.Known && !reply.Usage.Known && (told.Input != 0 || told.Output < 0) && !p.strange.Swap(true) {
				reply.Notices = append(reply.Notices, fmt.Sprintf("%s reported impossible token counts (%d in, %d out). For such answers, Marvin estimates the counts.", p.choice.Provider, told.Input, told.Output))
			}
		}
		if err != nil { // err can quote the request, which can contain secret keys
			err = tools.SecretsOf(p.deps.Environ, p.deps.User).HideError(err)
		}
		return ended{request: asked, reply: reply, err: err}
	}, func(panicked *task.Panicked) any {
		p.deps.Log.Error("provider panicked", "reason", fmt.Sprint(panicked.Reason), "stack", string(panicked.Stack))
		return ended{request: asked, err: panicked}
	})
	asked.rest = task.After(c, min(wish.Silence, p.deps.Quiet), checkSilence{request: asked})
}
