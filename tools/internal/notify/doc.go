// Package notify shows something on the user's desktop.
//
// It speaks to org.freedesktop.Notifications on the session bus itself, because
// notify-send is often not installed, and falls back to it. What cron starts has no
// address of the bus in its environment; the one that systemd gives every user is
// tried then.
package notify
