// Package notify shows a notification on the user's desktop.
//
// It speaks to org.freedesktop.Notifications on the session bus itself, because notify-send is
// often missing, and falls back to it. A program started by cron has no bus address in its
// environment; then it tries the one systemd gives every user.
package notify
