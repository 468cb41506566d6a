// Package notify shows a notification on the user's desktop.
//
// It uses org.freedesktop.Notifications on the session bus directly, because notify-send is often
// missing, and falls back to notify-send. A program started by cron has no bus address in its
// environment; then the package tries the address that systemd gives every user.
package notify
