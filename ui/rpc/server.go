package rpc

import (
	"cmp"
	"context"
	"errors"
	"time"

	"marvin/messages"
	"marvin/messages/jsonlines"
	"marvin/ui/internal/beside"
	"marvin/ui/jsonl"
)

// ErrStuck means that the client neither read nor left.
var ErrStuck = errors.New("the client does not read the output")

// Run serves until the conversation closed. It ends it when ctx or In does, the
// running turn cancelled first.
func (s *Server) Run(ctx context.Context) error {
	s.out, s.work = jsonl.NewWriter(s.Out), beside.New()
	s.done, s.ended = make(chan func()), make(chan struct{})
	s.engine = s.Engine(front{s})
	s.engine.Talk = &s.talk
	lines, noMore := s.read()
	result := make(chan error, 1)
	following, stop := context.WithCancel(context.Background())
	defer stop()
	s.work.Start(func() { // beside, because a write to a full pipe may never return
		err := s.loop(lines, s.work.Follow(following, s.Client))
		s.engine.Finish(s.grace() * 3 / 5)
		result <- err
	}, func() { close(s.ended) })
	select {
	case err := <-result:
		return err
	case err := <-s.work.Crashed():
		return err
	case <-ctx.Done():
		s.Client.Send(messages.Quit{})
	case <-noMore:
	}
	select {
	case err := <-result:
		return err
	case err := <-s.work.Crashed():
		return err
	case <-time.After(s.grace()):
		return ErrStuck
	}
}

func (s *Server) grace() time.Duration { return cmp.Or(s.Grace, 5*time.Second) }

// read reads lines until the client closes its end; noMore is then closed too.
func (s *Server) read() (lines <-chan jsonlines.Line, noMore <-chan struct{}) {
	out, end := make(chan jsonlines.Line, 16), make(chan struct{})
	s.work.Start(func() {
		reader := jsonlines.NewReader(s.In)
		for {
			line, err := reader.Next()
			if err != nil {
				return
			}
			select {
			case out <- line:
			case <-s.ended:
				return
			}
		}
	}, func() { close(out); close(end) })
	return out, end
}

// loop owns the engine and the output.
func (s *Server) loop(lines <-chan jsonlines.Line, batches <-chan []messages.Envelope) error {
	s.write(hello{Version: messages.WireVersion, Type: "hello", Marvin: s.Marvin, Types: append(messages.OpNames(), lineType)})
	if s.First != "" {
		s.engine.Begin(s.First)
	}
	for s.broken == nil {
		select {
		case line, ok := <-lines:
			if !ok {
				lines = nil
				s.leave()
				continue
			}
			s.take(line)
		case batch, ok := <-batches:
			if !ok {
				s.engine.Cancel()
				return nil
			}
			s.tell(batch)
		case then := <-s.done:
			then()
		}
	}
	s.leave()
	return s.broken
}

// leave ends the conversation, and what is under way beside it.
func (s *Server) leave() {
	s.engine.Cancel()
	s.Client.Send(messages.Quit{})
}

// tell passes events on.
func (s *Server) tell(batch []messages.Envelope) {
	lines := make([]any, 0, len(batch))
	for _, envelope := range batch {
		s.talk.Apply(envelope)
		s.engine.Hear(envelope)
		if all := messages.ImagesOf(envelope.Event); s.Images && all != nil {
			lines = append(lines, images{Version: messages.WireVersion, Type: ImagesType, Images: all})
		}
		lines = append(lines, envelope)
	}
	s.write(lines...)
}

func (s *Server) write(lines ...any) {
	if s.broken == nil {
		s.broken = s.out.Write(lines...)
	}
}
