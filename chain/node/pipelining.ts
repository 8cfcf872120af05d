import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

const lastAnswers = new WeakMap<Socket, Promise<void>>()

/**
 * Serves a request when the one before it on its connection is answered. A client may send hundreds without waiting: all of their
 * answers would be made, and held, before it has taken the first one.
 */
export function inTurn(request: IncomingMessage, response: ServerResponse, serve: () => void): void {
  const { socket } = request
  const before = lastAnswers.get(socket)
  lastAnswers.set(socket, new Promise((resolve) => response.once('close', resolve)))
  if (before === undefined) serve()
  else void before.then(() => socket.destroyed || serve())
}
