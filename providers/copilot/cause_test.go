package copilot

import (
	"context"
	"errors"
	"testing"
)

func TestTheCauseOfADeathIsToldWhicheverComesFirst(t *testing.T) {
	stopped, enough := errors.New("client stopped"), errors.New("enough")
	p := &process{}
	p.alive, p.died = context.WithCancelCause(t.Context())
	if err := p.cause(t.Context(), stopped); !errors.Is(err, stopped) {
		t.Errorf("of a CLI that lives: %v", err)
	}
	ended, end := context.WithCancelCause(t.Context())
	end(enough)
	if err := p.cause(ended, stopped); !errors.Is(err, enough) {
		t.Errorf("of a question that was ended: %v", err)
	}
	p.died(errDied)
	if err := p.cause(t.Context(), stopped); !errors.Is(err, errDied) {
		t.Errorf("of a CLI that died: %v", err)
	}
	if err := p.cause(ended, stopped); !errors.Is(err, enough) {
		t.Errorf("of a question that was ended, with a CLI that died: %v", err)
	}
	if err := p.cause(t.Context(), nil); err != nil {
		t.Errorf("of what went well: %v", err)
	}
}
