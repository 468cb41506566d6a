package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"marvin/cmd/marvin/internal/live"
	"marvin/messages"
	"marvin/ui/command"
	"marvin/ui/rpc"
)

// alone begins with a prompt, and continues without a window.
func (h *liveTalk) alone(ctx context.Context, prompt string, stderr *aside) error {
	window, err := h.Window("marvin start", messages.RoleDrive, true)
	if err != nil {
		return err
	}
	in, end := io.Pipe()
	defer func() { _ = end.Close() }()
	server := rpc.Server{
		Client: window, In: in, Out: io.Discard, Marvin: h.parts.world.Version, First: prompt,
		Picture: showing{h.parts}.checked,
		Engine: func(front command.Front) *command.Engine {
			engine := joined(h.parts, window, front)
			engine.Pictures.First = h.parts.pictures
			return engine
		},
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = server.Run(ctx) // it writes nowhere
	}()
	if err := h.tellStarter(ctx, stderr); err != nil {
		live.End(h)
		return err
	}
	live.Hold(ctx, h, h.works, parkTime(h.parts), h.parts.world.Now)
	<-ended
	return nil
}

// tellStarter says the id of the conversation on standard output, and lets that and standard
// error go.
func (h *liveTalk) tellStarter(ctx context.Context, stderr *aside) error {
	<-h.opened
	ctx, cancel := context.WithTimeout(ctx, beginning)
	defer cancel()
	ticker := time.NewTicker(polling)
	defer ticker.Stop()
	for now := h.Live(); now.ID == "" && !h.parts.opts.NoSession && now.State != messages.LiveDone; now = h.Live() {
		select {
		case <-ticker.C:
		case <-h.Over():
			return errors.New("the conversation ended before it began")
		case <-ctx.Done():
			return fmt.Errorf("the conversation has no id: %w", ctx.Err())
		}
	}
	err := live.Ready(h.parts.world.Stdout, strings.TrimSpace(h.id()))
	var files []*os.File
	for _, stream := range []any{h.parts.world.Stdin, steered(h.parts.world.Stdout), stderr.discard()} {
		if file, is := stream.(*os.File); is && file != nil {
			files = append(files, file)
		}
	}
	return errors.Join(err, live.Release(files...))
}

const beginning = 60 * time.Second // until a conversation without a window has an id

const polling = 20 * time.Millisecond
